// LLVM's side of a TargetInfo: target machines, and guards around calls into
// LLVM that would otherwise end the process.
#ifndef XLA_BACKENDS_CPU_JIT_TARGET_MACHINE_H_
#define XLA_BACKENDS_CPU_JIT_TARGET_MACHINE_H_

#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/Target/TargetMachine.h"
#include "xla/backends/cpu/jit/passes/opt_level.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu {

// Registers the host's target with LLVM, once. Thread safe.
void InitializeLlvm();

// LLVM's entry for `triple`. Errors: Unimplemented for an architecture other
// than the host's.
absl::StatusOr<const llvm::Target*> RegisteredTarget(const std::string& triple);

// The data layout of modules for `target`; empty if there is none.
std::string DataLayoutOf(const TargetInfo& target);

// Making one costs as much as compiling a small function. Errors: those of
// RegisteredTarget; Internal if LLVM has no code generator for the target.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> MakeTargetMachine(
    const TargetInfo& target, OptLevel level);

// A string that is equal for equal target machines.
std::string TargetMachineKey(const TargetInfo& target, OptLevel level);

// Calls `body` on this thread. If LLVM reports a fatal error, for example an
// operation that it cannot select, the rest of `body` is skipped and the result
// is an Internal error with LLVM's message. Objects that `body` made then leak,
// and those that it worked on must not be touched again, not even destroyed.
absl::Status GuardFatalErrors(absl::FunctionRef<absl::Status()> body);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_TARGET_MACHINE_H_
