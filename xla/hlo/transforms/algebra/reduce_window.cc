// Rules of reduce-window of one array, and of map and sort.
#include <optional>
#include <vector>

#include "xla/base/checked_math.h"
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

// The windows along the innermost dimension of an array whose elements are
// `stride` apart, with identities of the reducer between and around them.
struct SpreadWindows {
  int64_t dimension = 0;
  int64_t stride = 1;
  int64_t first = 0;  // how far behind the first window's begin element 0 is
  int64_t size = 0;   // of a window
  int64_t count = 0;  // of windows
};

// The windows that begin at `phase`, `phase` + stride, ..: window q is a window
// of `taps` elements from element q + `offset` on.
struct Phase {
  int64_t taps = 0;
  int64_t offset = 0;
};

Phase PhaseOf(const SpreadWindows& windows, int64_t phase) {
  for (int64_t t = 0; t < windows.size; ++t) {
    const int64_t from = phase + t - windows.first;
    if (from % windows.stride != 0) continue;
    return {CeilOfRatio(windows.size - t, windows.stride),
            from / windows.stride};
  }
  return {};
}

// Returns the reductions of one phase, with a dimension of one element behind
// that of the windows.
Result ReducePhase(HloInstruction* hlo, const SpreadWindows& windows,
                   const Phase& phase, RuleContext& context) {
  const int64_t d = windows.dimension;
  const int64_t count = CeilOfRatio(windows.count, windows.stride);
  std::vector<int64_t> sizes = ToVector(hlo->shape().dimensions());
  sizes[d] = count;
  const Shape shape = ShapeUtil::MakeShape(TypeOf(hlo), sizes);
  sizes.insert(sizes.begin() + d + 1, 1);
  const Shape column = ShapeUtil::MakeShape(TypeOf(hlo), sizes);
  if (phase.taps == 0) return context.Splat(column, Rhs(hlo));
  HloInstruction* pad = Lhs(hlo);
  PadAttrs padding = pad->attrs<PadAttrs>();
  auto* p = padding.padding.mutable_dimensions(static_cast<int>(d));
  p->set_interior_padding(0);
  p->set_edge_padding_low(-phase.offset);
  p->set_edge_padding_high(count + phase.taps - 1 + phase.offset -
                           Lhs(pad)->shape().dimensions(d));
  TF_ASSIGN_OR_RETURN(
      HloInstruction * elements,
      context.Infer(HloOpcode::kPad, {Lhs(pad), Rhs(pad)}, padding));
  ReduceWindowAttrs attrs = hlo->attrs<ReduceWindowAttrs>();
  WindowDimension* dim = attrs.window.mutable_dimensions(static_cast<int>(d));
  dim->set_size(phase.taps);
  dim->set_padding_low(0);
  dim->set_padding_high(0);
  return context.Reshape(
      column, context.Make(HloOpcode::kReduceWindow, shape,
                           {elements, Rhs(hlo)}, attrs, {hlo->to_apply()}));
}

// Returns the windows of `hlo` along the last dimension of more than one
// element if that is spread by `pad`; nullopt otherwise.
std::optional<SpreadWindows> FindSpreadWindows(const HloInstruction* hlo,
                                               const HloInstruction* pad) {
  // So many columns are interleaved in registers.
  constexpr int64_t kMostColumns = 4;
  int64_t d = hlo->shape().rank() - 1;
  while (d > 0 && pad->shape().dimensions(d) == 1) --d;
  const WindowDimension& dim = WindowOf(hlo).dimensions(static_cast<int>(d));
  const auto& p =
      pad->attrs<PadAttrs>().padding.dimensions(static_cast<int>(d));
  const int64_t stride = p.interior_padding() + 1;
  const int64_t count = hlo->shape().dimensions(d);
  if (stride == 1 || stride > kMostColumns || dim.size() < stride ||
      count < 2 * stride || dim.stride() != 1 || dim.base_dilation() != 1 ||
      dim.window_dilation() != 1 || dim.window_reversal() ||
      p.edge_padding_low() < 0 || p.edge_padding_high() < 0 ||
      dim.padding_low() < 0 || dim.padding_high() < 0) {
    return std::nullopt;
  }
  for (int64_t i = d + 1; i < hlo->shape().rank(); ++i) {
    if (hlo->shape().dimensions(i) != 1) return std::nullopt;
  }
  return SpreadWindows{.dimension = d,
                       .stride = stride,
                       .first = p.edge_padding_low() + dim.padding_low(),
                       .size = dim.size(),
                       .count = count};
}

// reduce-window(pad(x, e), e), with elements of x that are s apart => reshape(
// concatenate(reduce-window(x, e), ..)), with a reduce-window of neighbors for
// each of the s places at which a window may begin between two elements, for an
// identity e of the reducer; along the innermost dimension, where elements
// would be picked one by one
Result ReduceWindowOfSpread(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* pad = Lhs(hlo);
  if (!Is(pad, HloOpcode::kPad) || !HasOneType(hlo) || !OneUse(pad) ||
      ShapeUtil::IsZeroElementArray(hlo->shape()) ||
      ShapeUtil::IsZeroElementArray(Lhs(pad)->shape()) ||
      !IsSameSplat(Rhs(pad), Rhs(hlo))) {
    return nullptr;
  }
  const std::optional<HloOpcode> f = BinaryReducer(hlo->to_apply());
  if (!f.has_value() || !IsIdentity(*f, Rhs(hlo), /*sums_from_zero=*/true)) {
    return nullptr;
  }
  const std::optional<SpreadWindows> windows = FindSpreadWindows(hlo, pad);
  if (!windows.has_value()) return nullptr;
  const int64_t d = windows->dimension;
  std::vector<HloInstruction*> columns;
  for (int64_t phase = 0; phase < windows->stride; ++phase) {
    TF_ASSIGN_OR_RETURN(
        columns.emplace_back(),
        ReducePhase(hlo, *windows, PhaseOf(*windows, phase), context));
  }
  ConcatenateAttrs along;
  along.dimensions = {d + 1};
  TF_ASSIGN_OR_RETURN(
      HloInstruction * all,
      context.Infer(HloOpcode::kConcatenate, columns, std::move(along)));
  std::vector<int64_t> sizes = ToVector(hlo->shape().dimensions());
  sizes[d] = RoundUpTo(windows->count, windows->stride);
  all = context.Reshape(ShapeUtil::MakeShape(TypeOf(hlo), sizes), all);
  if (sizes[d] == windows->count) return all;
  SliceAttrs part;
  for (size_t i = 0; i < sizes.size(); ++i) {
    part.slice.push_back({0, hlo->shape().dimensions(i), 1});
  }
  return context.Infer(HloOpcode::kSlice, {all}, std::move(part));
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
  if (!root->IsElementwiseOp() || Is(root, HloOpcode::kMap) ||
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
                                  ReduceWindowOfPad, ReduceWindowOfSpread};
constexpr Rule kMap[] = {MapToOperand, MapToConstant, MapOfOneOp};
constexpr Rule kSort[] = {SortOne};

}  // namespace

Rules ReduceWindowRules() { return kReduceWindow; }
Rules MapRules() { return kMap; }
Rules SortRules() { return kSort; }

}  // namespace xla::algebra
