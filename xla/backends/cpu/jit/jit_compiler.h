// JitCompiler: LLVM modules to function pointers.
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

// Calls the body with 0 to count - 1, each once, in any order and on any
// threads, and returns when all calls have.
using ParallelFor =
    std::function<void(int64_t count, absl::FunctionRef<void(int64_t)> body)>;

struct JitOptions {
  TargetInfo target = HostTarget();
  // What generated code may call or read by name, besides RuntimeSymbols().
  SymbolTable symbols;
  // Check all IR first. Asserts on: always.
#ifdef NDEBUG
  bool verify = false;
#else
  bool verify = true;
#endif
  // Keep IR and assembly of every module; compiles more slowly.
  bool keep_dumps = false;
};

// Thread safe: one compiler may serve many threads at once.
class JitCompiler {
 public:
  explicit JitCompiler(JitOptions options = {})
      : options_(std::move(options)),
        fingerprint_(TargetFingerprint(options_.target)) {}

  const TargetInfo& target() const { return options_.target; }

  // Compiles `modules`, equal ones once, side by side where `parallel_for` is
  // given, and links them. Their global functions may call each other. Errors:
  // Internal for malformed IR, a name defined twice or nowhere, and what LLVM
  // cannot compile; ResourceExhausted; the first by order of `modules`.
  absl::StatusOr<std::unique_ptr<CompiledCode>> Compile(
      std::vector<ModuleInput> modules,
      const ParallelFor& parallel_for = nullptr) const;

  // The link step alone, of what an earlier process compiled, for the
  // processor of this one. Errors: those of CompiledCode::Load.
  absl::StatusOr<std::unique_ptr<CompiledCode>> Load(
      CompiledObjects objects) const {
    return CompiledCode::Load(std::move(objects), options_.symbols);
  }

 private:
  JitOptions options_;
  std::string fingerprint_;
};

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_JIT_COMPILER_H_
