// Rules of gather and scatter.
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// gather(broadcast(s), i) => broadcast(s), of a scalar s
Result GatherOfSplat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) {
    return nullptr;
  }
  return context.Splat(hlo->shape(), scalar);
}

// gather(x, i) => reshape(dynamic-slice(x, i)), of one slice
Result GatherOfOne(HloInstruction* hlo, RuleContext& context) {
  const GatherAttrs& attrs = hlo->attrs<GatherAttrs>();
  const GatherDimensionNumbers& dims = attrs.dimension_numbers;
  const Shape& indices = Rhs(hlo)->shape();
  if (dims.operand_batching_dims_size() != 0 ||
      ShapeUtil::ElementsIn(indices) != dims.start_index_map_size() ||
      dims.start_index_map_size() == 0) {
    return nullptr;
  }
  const PrimitiveType type = indices.element_type();
  const Shape scalar = ShapeUtil::MakeScalarShape(type);
  const int64_t count = dims.start_index_map_size();
  HloInstruction* flat =
      context.Reshape(ShapeUtil::MakeShape(type, {count}), Rhs(hlo));
  std::vector<HloInstruction*> operands(1 + Lhs(hlo)->shape().rank(), nullptr);
  operands[0] = Lhs(hlo);
  for (int64_t j = 0; j < count; ++j) {
    SliceAttrs one;
    one.slice.push_back({j, j + 1, 1});
    TF_ASSIGN_OR_RETURN(HloInstruction * start,
                        context.Infer(HloOpcode::kSlice, {flat}, one));
    operands[1 + dims.start_index_map(j)] = context.Reshape(scalar, start);
  }
  for (HloInstruction*& operand : operands) {
    if (operand == nullptr) operand = context.Integer(type, 0);
  }
  DynamicSliceAttrs sizes;
  sizes.dynamic_slice_sizes = attrs.slice_sizes;
  TF_ASSIGN_OR_RETURN(HloInstruction * slice,
                      context.Infer(HloOpcode::kDynamicSlice, operands, sizes));
  return context.Reshape(hlo->shape(), slice);
}

// scatter(x, i, u) => x, where u has no elements
Result ScatterNothing(HloInstruction* hlo, RuleContext&) {
  if (hlo->operand_count() != 3 ||
      !ShapeUtil::IsZeroElementArray(hlo->operand(2)->shape())) {
    return nullptr;
  }
  return Lhs(hlo);
}

constexpr Rule kGather[] = {GatherOfSplat, GatherOfOne};
constexpr Rule kScatter[] = {ScatterNothing};

}  // namespace

Rules GatherRules() { return kGather; }
Rules ScatterRules() { return kScatter; }

}  // namespace xla::algebra
