// A scale applies to a block of as many elements as divide its dimension.
#include "xla/hlo/transforms/linear/scaled_dot_expander.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

// Returns `scale` as an array of `sizes`, each element repeated over its block.
Hlo OverBlocks(HloBuilder& emit, Hlo scale, absl::Span<const int64_t> sizes) {
  if (scale->shape().rank() == 0) return emit.Splat(scale, sizes);
  Dims blocks, from;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t count = scale->shape().dimensions(d);
    from.push_back(blocks.size());
    blocks.push_back(count);
    blocks.push_back(sizes[d] / count);
  }
  return emit.Reshape(emit.Broadcast(scale, blocks, from), sizes);
}

Hlo Scaled(HloBuilder& emit, Hlo operand, Hlo scale) {
  const PrimitiveType type = operand->shape().element_type() == F64 ||
                                     scale->shape().element_type() == F64
                                 ? F64
                                 : F32;
  Hlo x = emit.Convert(operand, type);
  if (ShapeUtil::ElementsIn(operand->shape()) == 0) return x;
  Hlo factors = OverBlocks(emit, emit.Convert(scale, type),
                           operand->shape().dimensions());
  return emit.Times(x, factors);
}

absl::Status Expand(Hlo hlo) {
  const ScaledDotAttrs& attrs = hlo->attrs<ScaledDotAttrs>();
  HloBuilder emit(hlo);
  Hlo lhs = Scaled(emit, hlo->mutable_operand(0), hlo->mutable_operand(2));
  Hlo rhs = Scaled(emit, hlo->mutable_operand(1), hlo->mutable_operand(3));
  DotAttrs dot;
  dot.dot_dimension_numbers = attrs.dot_dimension_numbers;
  dot.precision_config = attrs.precision_config;
  return emit.ReplaceSource(
      emit.Dot(lhs, rhs, std::move(dot), hlo->shape().element_type()));
}

}  // namespace

absl::StatusOr<bool> ScaledDotExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kScaledDot || hlo->shape().is_dynamic() ||
          hlo->operand(0)->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(Expand(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
