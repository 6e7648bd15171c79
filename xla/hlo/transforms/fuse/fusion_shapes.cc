// The array of a value, and its size.
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla {

const Shape& FusionShape(const HloInstruction& instruction) {
  return FirstLeaf(instruction.shape());
}

int64_t FusionElements(const HloInstruction& instruction) {
  const Shape& shape = FusionShape(instruction);
  return shape.IsArray() ? ShapeUtil::ElementsIn(shape) : 0;
}

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.IsConstant() && instruction.shape().IsArray() &&
         ShapeUtil::ElementsIn(instruction.shape()) == 1;
}

}  // namespace xla
