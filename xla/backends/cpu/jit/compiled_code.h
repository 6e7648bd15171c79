// CompiledCode: machine code in memory, found by name, and the object files
// from which it was linked. Includes no LLVM header.
#ifndef XLA_BACKENDS_CPU_JIT_COMPILED_CODE_H_
#define XLA_BACKENDS_CPU_JIT_COMPILED_CODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/object_linker.h"
#include "xla/backends/cpu/jit/runtime_symbols.h"
#include "xla/backends/cpu/jit/symbols/code_symbols.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// Seconds by phase. The first four are sums over modules, which may have been
// compiled in parallel; `wall` is the total time that the caller waited.
struct CompileTimes {
  double deduplicate = 0;
  double verify = 0;
  double optimize = 0;
  double emit = 0;
  double link = 0;
  double wall = 0;

  CompileTimes& operator+=(const CompileTimes& other);
};

// One module at each stage of its compilation.
struct ModuleDump {
  std::string name;
  std::string ir;
  std::string optimized_ir;
  std::string assembly;
};

// Code before it is linked, as a serialized program stores it.
struct CompiledObjects {
  std::string fingerprint;           // of the target; see target_info.h
  std::vector<std::string> objects;  // ELF files
  std::vector<SymbolAlias> aliases;  // names of functions that are the same

  int64_t size_bytes() const;
};

// Immutable once made, so threads may share it. It owns the memory: no pointer
// into it may be called or read after its destruction.
class CompiledCode {
 public:
  // Links `objects`, which may refer to `symbols`. `host` is the processor that
  // runs them. Errors: FailedPrecondition if they need another processor;
  // Internal naming a symbol that nothing defines; InvalidArgument for
  // malformed objects.
  static absl::StatusOr<std::unique_ptr<CompiledCode>> Load(
      CompiledObjects objects, const SymbolTable& symbols,
      const TargetInfo& host = HostTarget());

  // The address of a global symbol. Errors: NotFound.
  absl::StatusOr<void*> Find(absl::string_view name) const;
  // The same for a function of type F, such as void(float*, int64_t).
  template <typename F>
  absl::StatusOr<F*> Function(absl::string_view name) const {
    absl::StatusOr<void*> address = Find(name);
    if (!address.ok()) return address.status();
    return reinterpret_cast<F*>(*address);
  }

  // Tells those that `forms` names the names of all functions: what `names` has
  // for their symbols, or the symbols themselves. To be called once, before
  // others use the code. Errors: those of PublishSymbols.
  absl::Status Publish(
      const SymbolForms& forms,
      const absl::flat_hash_map<std::string, std::string>& names);

  int64_t code_bytes() const { return image_.code_bytes; }
  int64_t data_bytes() const { return image_.data_bytes; }
  const CompiledObjects& objects() const { return objects_; }
  // Empty unless requested at compilation.
  const std::vector<ModuleDump>& dumps() const { return dumps_; }
  const CompileTimes& times() const { return times_; }

 private:
  friend class JitCompiler;
  CompiledCode() = default;

  CompiledObjects objects_;
  LinkedImage image_;
  std::unique_ptr<PublishedSymbols> published_;  // withdrawn before image_ ends
  std::vector<ModuleDump> dumps_;
  CompileTimes times_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_COMPILED_CODE_H_
