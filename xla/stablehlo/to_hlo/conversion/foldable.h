// Whether an instruction under conversion may be evaluated now.
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_FOLDABLE_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_FOLDABLE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::stablehlo {

// The most iterations of each loop in the computation of a size.
inline constexpr int64_t kMaxFoldedIterations = 4096;

// Checks what `root` depends on, called computations too: the evaluator relies
// on verified shapes, and computations of sizes must be small. Returns an upper
// bound of the work in WorkBudget's units, INT64_MAX if it may be infinite.
// Errors: those of HLO's shape rules; InvalidArgument for shapes that differ
// from theirs, for arrays of more than 2^16 elements and for custom calls,
// whose targets must not run while a program is read.
absl::StatusOr<int64_t> FoldingWork(const HloInstruction& root);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_FOLDABLE_H_
