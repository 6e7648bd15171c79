// FusionShape, and the sizes of values that a fused loop computes.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Returns the shape of the result, or of the first array of a tuple.
const Shape& FusionShape(const HloInstruction& instruction);

// Returns the elements of that array; 0 if there is none.
int64_t FusionElements(const HloInstruction& instruction);

// A constant of one element, which each fusion has its own copy of.
bool IsScalarConstant(const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_
