// Whether an instruction under conversion may be evaluated already.
#ifndef XLA_STABLEHLO_TO_HLO_OPS_FOLDABLE_H_
#define XLA_STABLEHLO_TO_HLO_OPS_FOLDABLE_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::stablehlo {

// Checks what `root` depends on, called computations too: the evaluator relies
// on verified shapes, and what decides about sizes is small. Errors: those of
// HLO's shape rules; InvalidArgument for shapes that differ from theirs, for
// arrays of more than 2^16 elements and for more than 2^20 ops to run.
absl::Status CheckFoldable(const HloInstruction& root);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_OPS_FOLDABLE_H_
