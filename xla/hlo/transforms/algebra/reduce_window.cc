// Rules of reduce-window of one array, and of map and sort.
#include <optional>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/reduction/reduction.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const Window& WindowOf(const HloInstruction* hlo) {
  return hlo->attrs<ReduceWindowAttrs>().window;
}

// reduce-window(x, init), with f => f(init, x), by windows of one element
Result ReduceWindowOfOne(HloInstruction* hlo, RuleContext& context) {
  if (!HasOneType(hlo)) return nullptr;
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value()) return nullptr;
  for (const WindowDimension& dim : WindowOf(hlo).dimensions()) {
    if (dim.size() != 1 || dim.stride() != 1 || dim.padding_low() != 0 ||
        dim.padding_high() != 0 || dim.base_dilation() != 1) {
      return nullptr;
    }
  }
  return context.Make(*f, hlo->shape(),
                      {context.Splat(hlo->shape(), Rhs(hlo)), Lhs(hlo)},
                      hlo->to_apply()->root_instruction()->raw_attrs());
}

// reduce-window(x, init) => reshape(reduce(x, init)), by windows as large as x;
// not for short floats, since reduce may sum in higher precision
Result ReduceWindowOfAll(HloInstruction* hlo, RuleContext& context) {
  if (hlo->operand_count() != 2 || !hlo->shape().IsArray() ||
      ShapeUtil::IsZeroElementArray(Lhs(hlo)->shape()) ||
      (IsFloat(hlo) && primitive_util::BitWidth(TypeOf(hlo)) < 32)) {
    return nullptr;
  }
  ReduceAttrs attrs;
  for (int d = 0; d < WindowOf(hlo).dimensions_size(); ++d) {
    const WindowDimension& dim = WindowOf(hlo).dimensions(d);
    if (dim.padding_low() != 0 || dim.padding_high() != 0 ||
        dim.base_dilation() != 1 || dim.window_dilation() != 1 ||
        dim.window_reversal()) {
      return nullptr;
    }
    if (dim.size() == Lhs(hlo)->shape().dimensions(d)) {
      attrs.dimensions.push_back(d);
    } else if (dim.size() != 1 || dim.stride() != 1) {
      return nullptr;
    }
  }
  if (attrs.dimensions.empty()) return nullptr;
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
    if (!Contains(attrs.dimensions, d)) {
      sizes.push_back(hlo->shape().dimensions(d));
    }
  }
  HloInstruction* reduced =
      context.Make(HloOpcode::kReduce, ShapeUtil::MakeShape(TypeOf(hlo), sizes),
                   hlo->operands(), attrs, {hlo->to_apply()});
  return context.Reshape(hlo->shape(), reduced);
}

// reduce-window(pad(x, e), e) => reduce-window(x, e) with padding, for an
// identity e of the reducer
Result ReduceWindowOfPad(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* pad = Lhs(hlo);
  if (!Is(pad, HloOpcode::kPad) || !HasOneType(hlo) ||
      !IsSameSplat(Rhs(pad), Rhs(hlo))) {
    return nullptr;
  }
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value() || !IsIdentity(*f, Rhs(hlo), /*sums_from_zero=*/true)) {
    return nullptr;
  }
  const PaddingConfig& padding = pad->attrs<PadAttrs>().padding;
  ReduceWindowAttrs attrs = hlo->attrs<ReduceWindowAttrs>();
  for (int d = 0; d < padding.dimensions_size(); ++d) {
    const auto& p = padding.dimensions(d);
    WindowDimension* dim = attrs.window.mutable_dimensions(d);
    if (p.interior_padding() != 0 || p.edge_padding_low() < 0 ||
        p.edge_padding_high() < 0 || dim->base_dilation() != 1) {
      return nullptr;
    }
    // Cutting after padding is not the same as less padding if it reaches x.
    if (dim->padding_low() < 0 || dim->padding_high() < 0) return nullptr;
    dim->set_padding_low(dim->padding_low() + p.edge_padding_low());
    dim->set_padding_high(dim->padding_high() + p.edge_padding_high());
  }
  return context.Make(HloOpcode::kReduceWindow, hlo->shape(),
                      {Lhs(pad), Rhs(hlo)}, attrs, {hlo->to_apply()});
}

// map(.., x, ..), with f(.., x, ..) = x => x
Result MapToOperand(HloInstruction* hlo, RuleContext&) {
  const HloInstruction* root = hlo->to_apply()->root_instruction();
  if (!Is(root, HloOpcode::kParameter)) return nullptr;
  return hlo->mutable_operand(root->parameter_number());
}

// map(..), with f(..) = c => broadcast(c)
Result MapToConstant(HloInstruction* hlo, RuleContext& context) {
  const HloInstruction* root = hlo->to_apply()->root_instruction();
  if (!root->IsConstant()) return nullptr;
  return context.Splat(hlo->shape(), context.Constant(root->literal().Clone()));
}

// map(x, y), with f(x, y) = op(x, y) => op(x, y), for an element-wise op
Result MapOfOneOp(HloInstruction* hlo, RuleContext& context) {
  const HloInstruction* root = hlo->to_apply()->root_instruction();
  if (!root->IsElementwise() || Is(root, HloOpcode::kMap) ||
      TypeOf(root) != TypeOf(hlo) || root->operand_count() == 0) {
    return nullptr;
  }
  std::vector<HloInstruction*> operands;
  for (const HloInstruction* parameter : root->operands()) {
    if (!Is(parameter, HloOpcode::kParameter)) return nullptr;
    HloInstruction* x = hlo->mutable_operand(parameter->parameter_number());
    if (TypeOf(x) != TypeOf(parameter)) return nullptr;
    operands.push_back(x);
  }
  return context.Make(root->opcode(), hlo->shape(), operands,
                      root->raw_attrs());
}

// sort(x, y) => (x, y), along a dimension of size 1
Result SortOne(HloInstruction* hlo, RuleContext& context) {
  const int64_t dim = hlo->attrs<SortAttrs>().dimensions[0];
  if (Lhs(hlo)->shape().dimensions(dim) != 1) return nullptr;
  if (hlo->shape().IsArray()) return Lhs(hlo);
  return context.Make(HloOpcode::kTuple, hlo->shape(), hlo->operands());
}

constexpr Rule kReduceWindow[] = {ReduceWindowOfOne, ReduceWindowOfAll,
                                  ReduceWindowOfPad};
constexpr Rule kMap[] = {MapToOperand, MapToConstant, MapOfOneOp};
constexpr Rule kSort[] = {SortOne};

}  // namespace

Rules ReduceWindowRules() { return kReduceWindow; }
Rules MapRules() { return kMap; }
Rules SortRules() { return kSort; }

}  // namespace xla::algebra
