// NativeCode: what a serialized executable contains besides the original
// program, so that loading it needs no LLVM.
#ifndef XLA_BACKENDS_CPU_NATIVE_CODE_H_
#define XLA_BACKENDS_CPU_NATIVE_CODE_H_

#include <array>
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
  // The build of the compiler: generated code and runtime must match.
  std::string build;
  // The module after all passes as an HloModuleProto, and what that does not
  // contain.
  std::string module;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  // The processor for whose costs and caches the plan was made
  // (TargetInfo::cost_table, l1_bytes to l3_bytes); the one that runs the code
  // may have others.
  std::string cost_table;
  std::array<int64_t, 3> cache_bytes{};
  // A hash of the memory plan and the thunks for which the code was made. Both
  // are recomputed from the module and these costs.
  uint64_t plan_hash = 0;
  // A program without code has no objects and an empty fingerprint.
  CompiledObjects objects;
};

// The version and, if the linker wrote one, the build id of this program or
// library.
const std::string& ThisBuild();

uint64_t PlanHash(const HloModule& module, const BufferAssignment& assignment,
                  const ThunkPlan& plan);

// `objects`, if not null, replace those in `code`.
std::string PackNativeCode(const NativeCode& code,
                           const CompiledObjects* objects = nullptr);

// Errors: InvalidArgument for bytes that PackNativeCode did not make.
absl::StatusOr<NativeCode> UnpackNativeCode(absl::string_view bytes);

// Whether somebody else may have changed bytes that PackNativeCode made.
enum class CodeOrigin { kAnywhere, kThisCompiler };

// Parses the module from which `code` was made, and verifies it unless this
// compiler kept it, which had verified it. Errors: FailedPrecondition for code
// of another build; InvalidArgument if it is not a module.
absl::StatusOr<std::unique_ptr<HloModule>> ModuleOf(
    const NativeCode& code, CodeOrigin origin,
    const DebugOptions& debug_options);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_NATIVE_CODE_H_
