// Loading, symbol lookup, and the map of functions for perf.
#include "xla/backends/cpu/jit/compiled_code.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// If TESSERA_PERF_MAP is set, appends the functions to /tmp/perf-PID.map, where
// perf looks up the names of code that is not in a file.
void WritePerfMap(const LinkedImage& image) {
  static const bool wanted = [] {
    const char* value = std::getenv("TESSERA_PERF_MAP");
    return value != nullptr && *value != '\0' && *value != '0';
  }();
  if (!wanted) return;
  static std::mutex* const mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  const std::string path = absl::StrCat("/tmp/perf-", getpid(), ".map");
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) return;
  for (const auto& [name, symbol] : image.symbols) {
    std::fprintf(file, "%llx %llx %s\n",
                 static_cast<unsigned long long>(
                     reinterpret_cast<uintptr_t>(symbol.address)),
                 static_cast<unsigned long long>(symbol.size), name.c_str());
  }
  std::fclose(file);
}

}  // namespace

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
  WritePerfMap(code->image_);
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

}  // namespace xla::cpu
