// Finds dimensions without a bound.
#include "xla/hlo/ir/module/known_sizes.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

absl::Status CheckKnownSizes(const HloInstruction& instruction) {
  if (!instruction.shape().is_unbounded_dynamic()) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "programs with dimensions without a bound (?) are not implemented: ",
      instruction.name(), " is ", ShapeUtil::HumanString(instruction.shape()),
      "; state its sizes, or bounds of them, before it runs"));
}

absl::Status CheckKnownSizes(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      TF_RETURN_IF_ERROR(CheckKnownSizes(*instruction));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
