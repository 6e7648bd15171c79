// Walks over the leaves of a shape.
#include "xla/hlo/transforms/fuse/fusion_shapes.h"

#include <algorithm>

#include "xla/core/primitive_util.h"
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

double FusionBytes(const HloInstruction& instruction) {
  double bytes = 0;
  for (const Shape* leaf : Leaves(instruction.shape())) {
    if (!leaf->IsArray()) continue;
    bytes += static_cast<double>(ShapeUtil::ElementsIn(*leaf)) *
             std::max(1, primitive_util::BitWidth(leaf->element_type()) / 8);
  }
  return bytes;
}

bool IsScalarConstant(const HloInstruction& instruction) {
  return instruction.IsConstant() && instruction.shape().IsArray() &&
         ShapeUtil::ElementsIn(instruction.shape()) == 1;
}

}  // namespace xla
