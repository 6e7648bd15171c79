// Loading, symbol lookup, and the names of functions for perf and gdb.
#include "xla/backends/cpu/jit/compiled_code.h"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
CompileTimes& CompileTimes::operator+=(const CompileTimes& other) {
  deduplicate += other.deduplicate;
  verify += other.verify;
  optimize += other.optimize;
  emit += other.emit;
  link += other.link;
  wall += other.wall;
  return *this;
}

int64_t CompiledObjects::size_bytes() const {
  size_t size = fingerprint.size();
  for (const std::string& object : objects) size += object.size();
  for (const SymbolAlias& alias : aliases) {
    size += alias.name.size() + alias.target.size();
  }
  return static_cast<int64_t>(size);
}

absl::StatusOr<std::unique_ptr<CompiledCode>> CompiledCode::Load(
    CompiledObjects objects, const SymbolTable& symbols,
    const TargetInfo& host) {
  const auto start = std::chrono::steady_clock::now();
  TF_RETURN_IF_ERROR(CheckFingerprint(objects.fingerprint, host));
  std::unique_ptr<CompiledCode> code(new CompiledCode);
  TF_ASSIGN_OR_RETURN(code->image_,
                      LinkObjects(objects.objects, objects.aliases, symbols));
  code->objects_ = std::move(objects);
  code->times_.link = code->times_.wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return code;
}

absl::StatusOr<void*> CompiledCode::Find(absl::string_view name) const {
  const auto symbol = image_.symbols.find(name);
  if (symbol == image_.symbols.end()) {
    return NotFound("no function %s in the compiled code", name);
  }
  return symbol->second.address;
}

absl::Status CompiledCode::Publish(
    const SymbolForms& forms,
    const absl::flat_hash_map<std::string, std::string>& names) {
  std::vector<CodeSymbol> functions;
  const auto add = [&](const std::string& name, const LinkedSymbol& symbol) {
    if (!symbol.is_function) return;
    const auto given = names.find(name);
    functions.push_back({given == names.end() ? name : given->second,
                         symbol.address, symbol.size});
  };
  for (const auto& [name, symbol] : image_.symbols) add(name, symbol);
  for (const auto& [name, symbol] : image_.local_functions) add(name, symbol);
  std::sort(functions.begin(), functions.end(),
            [](const CodeSymbol& a, const CodeSymbol& b) {
              return std::tie(a.address, a.name) < std::tie(b.address, b.name);
            });
  // One name for a function that has aliases.
  functions.erase(std::unique(functions.begin(), functions.end(),
                              [](const CodeSymbol& a, const CodeSymbol& b) {
                                return a.address == b.address;
                              }),
                  functions.end());
  TF_ASSIGN_OR_RETURN(published_, PublishSymbols(functions, forms));
  return absl::OkStatus();
}

}  // namespace xla::cpu
