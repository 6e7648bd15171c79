// The processors for which programs are compiled ahead of time.
#ifndef XLA_BACKENDS_CPU_AOT_AOT_TARGET_H_
#define XLA_BACKENDS_CPU_AOT_AOT_TARGET_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/target_info.h"

namespace xla::cpu::aot {

// Returns the target called `name`:
//
//   native            this process's processor
//   x86-64, ..., x86-64-v4, and armv8-a
//   SSE2, AVX2, ..., NEON, SVE2   a level that XLA's xla_cpu_max_isa names
//   haswell, neoverse-v1, ...     a processor that LLVM knows
//
// It has no extension that a program cannot look for when it is loaded
// (KnownFeatures). Errors: InvalidArgument for any other name.
absl::StatusOr<TargetInfo> AotTarget(absl::string_view name);

// Returns the names of the extensions that code for the target needs, separated
// by commas, without those that each processor of the architecture has. Errors:
// those of TargetFor.
absl::StatusOr<std::string> NeededFeatures(const TargetInfo& target);

// Returns the highest level all of whose extensions the target has.
CpuIsa IsaOf(const TargetInfo& target);

}  // namespace xla::cpu::aot

#endif  // XLA_BACKENDS_CPU_AOT_AOT_TARGET_H_
