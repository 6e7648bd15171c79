// Rules of dynamic-slice and dynamic-update-slice. Start indices are clamped so
// that the box fits, so only equal or constant starts determine where it is.
#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// Returns whether the starts of `a` from operand `i` on equal those of `b` from
// `j` on.
bool SameStarts(const HloInstruction* a, int64_t i, const HloInstruction* b,
                int64_t j) {
  if (a->operand_count() - i != b->operand_count() - j) return false;
  for (; i < a->operand_count(); ++i, ++j) {
    if (!IsSame(a->operand(i), b->operand(j))) return false;
  }
  return true;
}

bool SameSizes(const HloInstruction* a, const HloInstruction* b) {
  return ShapeUtil::SameDimensions(a->shape(), b->shape());
}

SliceAttrs RangesAt(absl::Span<const int64_t> starts,
                    absl::Span<const int64_t> sizes) {
  SliceAttrs attrs;
  for (size_t d = 0; d < starts.size(); ++d) {
    attrs.slice.push_back({starts[d], starts[d] + sizes[d], 1});
  }
  return attrs;
}

// f(.., i, ..) => f(.., 0, ..), for the start of a dimension taken whole
Result ZeroStartOfWhole(HloInstruction* hlo, RuleContext& context,
                        const Shape& box, int64_t from) {
  const Shape& shape = Lhs(hlo)->shape();
  if (hlo->operand_count() != from + shape.rank()) return nullptr;
  HloInstruction::InstructionVector operands = hlo->operands();
  bool changed = false;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    HloInstruction*& start = operands[from + d];
    if (!ShapeUtil::IsScalar(start->shape()) ||
        box.dimensions(d) != shape.dimensions(d) || IsInt(start, 0)) {
      continue;
    }
    start = context.Integer(TypeOf(start), 0);
    changed = true;
  }
  if (!changed) return nullptr;
  return context.Make(hlo->opcode(), hlo->shape(), operands, hlo->raw_attrs());
}

// dynamic-slice(x, ..) => x, where it takes all of x
Result DynamicSliceOfAll(HloInstruction* hlo, RuleContext&) {
  return SameSizes(hlo, Lhs(hlo)) ? Lhs(hlo) : nullptr;
}

// dynamic-slice(x, c, ..) => slice(x), for constant starts
Result DynamicSliceAtConstant(HloInstruction* hlo, RuleContext& context) {
  const auto starts = ConstantStarts(hlo, 1, Lhs(hlo)->shape().dimensions(),
                                     hlo->shape().dimensions());
  if (!starts.has_value()) return nullptr;
  return context.Make(HloOpcode::kSlice, hlo->shape(), {Lhs(hlo)},
                      RangesAt(*starts, hlo->shape().dimensions()));
}

// dynamic-slice(broadcast(x), ..) => broadcast(x), where dimensions of x are
// taken whole
Result DynamicSliceOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (x == nullptr) return nullptr;
  for (int64_t d : Lhs(hlo)->attrs<BroadcastAttrs>().dimensions) {
    if (hlo->shape().dimensions(d) != Lhs(hlo)->shape().dimensions(d)) {
      return nullptr;
    }
  }
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {x},
                      Lhs(hlo)->raw_attrs());
}

// dynamic-slice(dynamic-update-slice(x, u, i), i) => u
Result DynamicSliceOfUpdate(HloInstruction* hlo, RuleContext&) {
  HloInstruction* update = Lhs(hlo);
  if (!Is(update, HloOpcode::kDynamicUpdateSlice) ||
      !SameSizes(hlo, Rhs(update)) || !SameStarts(hlo, 1, update, 2)) {
    return nullptr;
  }
  return Rhs(update);
}

// dynamic-slice(x, i, j) => dynamic-slice(x, 0, j), where i starts a dimension
// taken whole
Result DynamicSliceOfWholeDimension(HloInstruction* hlo, RuleContext& context) {
  return ZeroStartOfWhole(hlo, context, hlo->shape(), 1);
}

// dynamic-slice(reshape(bitcast-convert(x)), ..) =>
// reshape(bitcast-convert(dynamic-slice(x, ..))), where rows are taken whole
Result DynamicSliceOfParts(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = WholeOfParts(Lhs(hlo));
  const int64_t last = hlo->shape().rank() - 1;
  if (x == nullptr || hlo->operand_count() != 2 + last ||
      hlo->shape().dimensions(last) == 0 ||
      hlo->shape().dimensions(last) != Lhs(hlo)->shape().dimensions(last)) {
    return nullptr;
  }
  HloInstruction::InstructionVector operands = hlo->operands();
  operands[0] = x;
  DynamicSliceAttrs sizes = hlo->attrs<DynamicSliceAttrs>();
  sizes.dynamic_slice_sizes.back() = x->shape().dimensions(last);
  TF_ASSIGN_OR_RETURN(HloInstruction * slice,
                      context.Infer(HloOpcode::kDynamicSlice, operands, sizes));
  return PartsOf(slice, hlo->shape(), context);
}

// dynamic-update-slice(x, u, ..) => u, where it covers all of x
Result UpdateAll(HloInstruction* hlo, RuleContext&) {
  return SameSizes(hlo, Rhs(hlo)) ? Rhs(hlo) : nullptr;
}

// dynamic-update-slice(x, u, ..) => x, where u has no elements
Result UpdateNothing(HloInstruction* hlo, RuleContext&) {
  return ShapeUtil::IsZeroElementArray(Rhs(hlo)->shape()) ? Lhs(hlo) : nullptr;
}

// dynamic-update-slice(x, dynamic-slice(x, i), i) => x
Result UpdateBySame(HloInstruction* hlo, RuleContext&) {
  if (Arg(Rhs(hlo), HloOpcode::kDynamicSlice) != Lhs(hlo) ||
      !SameStarts(Rhs(hlo), 1, hlo, 2)) {
    return nullptr;
  }
  return Lhs(hlo);
}

// dynamic-update-slice(dynamic-update-slice(x, u, i), v, i) =>
// dynamic-update-slice(x, v, i)
Result UpdateTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  if (!Is(inner, HloOpcode::kDynamicUpdateSlice) ||
      !SameSizes(Rhs(inner), Rhs(hlo)) || !SameStarts(inner, 2, hlo, 2)) {
    return nullptr;
  }
  HloInstruction::InstructionVector operands = hlo->operands();
  operands[0] = Lhs(inner);
  return context.Make(hlo->opcode(), hlo->shape(), operands);
}

// dynamic-update-slice(broadcast(s), u, c) => pad(u, s), for constant starts
Result UpdateOfSplat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) {
    return nullptr;
  }
  const auto sizes = Rhs(hlo)->shape().dimensions();
  const auto starts = ConstantStarts(hlo, 2, hlo->shape().dimensions(), sizes);
  if (!starts.has_value()) return nullptr;
  PaddingConfig config;
  for (size_t d = 0; d < starts->size(); ++d) {
    auto* padding = config.add_dimensions();
    padding->set_edge_padding_low((*starts)[d]);
    padding->set_edge_padding_high(hlo->shape().dimensions(d) - (*starts)[d] -
                                   sizes[d]);
  }
  return context.Pad(hlo->shape(), Rhs(hlo), scalar, std::move(config));
}

// dynamic-update-slice(x, u, i, j) => dynamic-update-slice(x, u, 0, j), where i
// starts a dimension taken whole
Result UpdateWholeDimension(HloInstruction* hlo, RuleContext& context) {
  return ZeroStartOfWhole(hlo, context, Rhs(hlo)->shape(), 2);
}

// dynamic-update-slice(reshape(bitcast-convert(x)), u, ..) =>
// reshape(bitcast-convert(dynamic-update-slice(x, bitcast-convert(reshape(u)),
// ..))), where rows are taken whole
Result UpdateOfParts(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = WholeOfParts(Lhs(hlo));
  HloInstruction* update = Rhs(hlo);
  const int64_t last = hlo->shape().rank() - 1;
  if (x == nullptr || hlo->operand_count() != 3 + last ||
      hlo->shape().dimensions(last) == 0 ||
      update->shape().dimensions(last) != hlo->shape().dimensions(last)) {
    return nullptr;
  }
  const int64_t whole = x->shape().dimensions(last);
  std::vector<int64_t> sizes(update->shape().dimensions().begin(),
                             update->shape().dimensions().end());
  sizes[last] = whole;
  const Shape bytes = ShapeUtil::MakeShape(TypeOf(x), sizes);
  sizes.push_back(hlo->shape().dimensions(last) / whole);
  HloInstruction::InstructionVector operands = hlo->operands();
  operands[0] = x;
  operands[1] = context.Make(
      HloOpcode::kBitcastConvert, bytes,
      {context.Reshape(ShapeUtil::MakeShape(TypeOf(update), sizes), update)});
  return PartsOf(context.Make(HloOpcode::kDynamicUpdateSlice, x->shape(),
                              operands),
                 hlo->shape(), context);
}

constexpr Rule kDynamicSlice[] = {
    DynamicSliceOfAll,      DynamicSliceOfWholeDimension,
    DynamicSliceAtConstant, DynamicSliceOfBroadcast,
    DynamicSliceOfUpdate,   DynamicSliceOfParts,
};
constexpr Rule kDynamicUpdateSlice[] = {
    UpdateAll,   UpdateNothing, UpdateBySame,
    UpdateTwice, UpdateOfSplat, UpdateWholeDimension,
    UpdateOfParts,
};

}  // namespace

Rules DynamicSliceRules() { return kDynamicSlice; }
Rules DynamicUpdateSliceRules() { return kDynamicUpdateSlice; }

}  // namespace xla::algebra
