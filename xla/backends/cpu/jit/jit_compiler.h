// JitCompiler: compiles LLVM modules to function pointers.
#ifndef XLA_BACKENDS_CPU_JIT_JIT_COMPILER_H_
#define XLA_BACKENDS_CPU_JIT_JIT_COMPILER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/jit/object_compiler.h"
#include "xla/backends/cpu/jit/runtime_symbols.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// Calls the body with each of 0 to count - 1 once, in any order and on any
// threads, and returns when all calls have returned.
using ParallelFor =
    std::function<void(int64_t count, absl::FunctionRef<void(int64_t)> body)>;

struct JitOptions {
  TargetInfo target = HostTarget();
  // What generated code may call or read by name, in addition to
  // RuntimeSymbols().
  SymbolTable symbols;
  // Verify all IR first; always on in builds with assertions.
#ifdef NDEBUG
  bool verify = false;
#else
  bool verify = true;
#endif
  // Keep the IR and assembly of every module, which makes compilation slower.
  bool keep_dumps = false;
};

// Thread safe: one compiler may serve many threads at once.
class JitCompiler {
 public:
  explicit JitCompiler(JitOptions options = {})
      : options_(std::move(options)),
        fingerprint_(TargetFingerprint(options_.target)) {}

  const TargetInfo& target() const { return options_.target; }

  // Compiles `modules`, equal ones once and in parallel if `parallel_for` is
  // given, and links them. Their global functions may call each other. Errors:
  // Internal for malformed IR, for a name that is defined twice or nowhere, and
  // for what LLVM cannot compile; ResourceExhausted; Cancelled once the calling
  // thread's token (CancellationToken::Current) is cancelled, which ends what
  // has not begun; the first by order of `modules`. Tells the thread's Activity
  // of each module.
  absl::StatusOr<std::unique_ptr<CompiledCode>> Compile(
      std::vector<ModuleInput> modules,
      const ParallelFor& parallel_for = nullptr) const;

  // Does so, but does not link: for another process, or another processor than
  // this one.
  absl::StatusOr<CompiledObjects> CompileObjects(
      std::vector<ModuleInput> modules,
      const ParallelFor& parallel_for = nullptr) const;

  // Only links what an earlier process compiled, for this process's processor.
  // Errors: those of CompiledCode::Load.
  absl::StatusOr<std::unique_ptr<CompiledCode>> Load(
      CompiledObjects objects) const {
    return CompiledCode::Load(std::move(objects), options_.symbols);
  }

 private:
  // Fills in the times but for `link` and `wall`, and the dumps if options_
  // request them.
  absl::StatusOr<CompiledObjects> CompileObjects(
      std::vector<ModuleInput> modules, const ParallelFor& parallel_for,
      CompileTimes& times, std::vector<ModuleDump>& dumps) const;

  JitOptions options_;
  std::string fingerprint_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_JIT_COMPILER_H_
