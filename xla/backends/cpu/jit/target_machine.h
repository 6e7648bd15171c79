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

// LLVM's entry for `triple`. Errors: Unimplemented for another architecture
// than the host's.
absl::StatusOr<const llvm::Target*> RegisteredTarget(const std::string& triple);

// The data layout of modules for `target`; empty where there is none.
std::string DataLayoutOf(const TargetInfo& target);

// Costs as much to make as a small function to compile. Errors: those of
// RegisteredTarget; Internal where LLVM makes no code.
absl::StatusOr<std::unique_ptr<llvm::TargetMachine>> MakeTargetMachine(
    const TargetInfo& target, OptLevel level);

// Equal where target machines are.
std::string TargetMachineKey(const TargetInfo& target, OptLevel level);

// Calls `body` on this thread. Should LLVM find an error that it calls fatal
// (an operation that it cannot select, say), the rest of `body` is skipped and
// an Internal error says what LLVM did. Objects that `body` made then leak, and
// those that it worked on must not be touched again, destroyed included.
absl::Status GuardFatalErrors(absl::FunctionRef<absl::Status()> body);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_JIT_TARGET_MACHINE_H_
