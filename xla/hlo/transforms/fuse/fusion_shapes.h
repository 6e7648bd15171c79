// FusionShape and the sizes that follow from it: how large a value is that a
// fused loop computes.
#ifndef XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_
#define XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_

#include <cstdint>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// The array that is the result, or the first array of a tuple.
const Shape& FusionShape(const HloInstruction& instruction);

// Elements of that array; 0 if there is none.
int64_t FusionElements(const HloInstruction& instruction);

// A constant of one element, which each fusion has its own copy of.
bool IsScalarConstant(const HloInstruction& instruction);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_FUSION_SHAPES_H_
