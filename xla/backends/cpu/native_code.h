// NativeCode: what a serialized executable keeps besides the program that it
// was made of, so that loading it needs no LLVM.
#ifndef XLA_BACKENDS_CPU_NATIVE_CODE_H_
#define XLA_BACKENDS_CPU_NATIVE_CODE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/backends/cpu/jit/compiled_code.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/analysis/buffer_assignment.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

struct NativeCode {
  // Of the compiler: code calls and is called as one build of it has it.
  std::string build;
  // The module after all passes, an HloModuleProto, and what it does not say.
  std::string module;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  // Of the memory and the thunks that the code was made for; both follow from
  // the module, so they are worked out again.
  uint64_t plan_hash = 0;
  // Without objects and with an empty fingerprint for a program without code.
  CompiledObjects objects;
};

// Version and, where the linker wrote one, build id of this program or library.
const std::string& ThisBuild();

uint64_t PlanHash(const HloModule& module, const BufferAssignment& assignment,
                  const ThunkPlan& plan);

// `objects`, if not null, take the place of those in `code`.
std::string PackNativeCode(const NativeCode& code,
                           const CompiledObjects* objects = nullptr);

// Errors: InvalidArgument for bytes that PackNativeCode does not make.
absl::StatusOr<NativeCode> UnpackNativeCode(absl::string_view bytes);

// The module that `code` was made of, verified. Errors: FailedPrecondition for
// code of another build; InvalidArgument for what is no module.
absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(
    const NativeCode& code, const DebugOptions& debug_options);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_NATIVE_CODE_H_
