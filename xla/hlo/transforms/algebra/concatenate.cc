// Rules of concatenate.
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

int64_t DimensionOf(const HloInstruction* hlo) {
  return hlo->attrs<ConcatenateAttrs>().dimensions[0];
}

HloInstruction* MakeConcatenate(HloInstruction* hlo, RuleContext& context,
                                absl::Span<HloInstruction* const> operands) {
  return context.Make(HloOpcode::kConcatenate, hlo->shape(), operands,
                      hlo->raw_attrs());
}

// concatenate(x) => x
Result ConcatenateOne(HloInstruction* hlo, RuleContext&) {
  return hlo->operand_count() == 1 ? Lhs(hlo) : nullptr;
}

// concatenate(x, empty, y) => concatenate(x, y)
Result ConcatenateEmpty(HloInstruction* hlo, RuleContext& context) {
  std::vector<HloInstruction*> operands;
  for (HloInstruction* x : hlo->operands()) {
    if (x->shape().dimensions(DimensionOf(hlo)) != 0) operands.push_back(x);
  }
  if (static_cast<int64_t>(operands.size()) == hlo->operand_count() ||
      operands.empty()) {
    return nullptr;
  }
  return MakeConcatenate(hlo, context, operands);
}

// concatenate(concatenate(x, y), z) => concatenate(x, y, z)
Result ConcatenateNested(HloInstruction* hlo, RuleContext& context) {
  std::vector<HloInstruction*> operands;
  for (HloInstruction* x : hlo->operands()) {
    if (Is(x, HloOpcode::kConcatenate) && OneUse(x) &&
        DimensionOf(x) == DimensionOf(hlo)) {
      operands.insert(operands.end(), x->operands().begin(),
                      x->operands().end());
    } else {
      operands.push_back(x);
    }
  }
  if (static_cast<int64_t>(operands.size()) == hlo->operand_count()) {
    return nullptr;
  }
  return MakeConcatenate(hlo, context, operands);
}

// Returns whether slice `b` continues slice `a` of the same array along `dim`.
bool Continues(const HloInstruction* a, const HloInstruction* b, int64_t dim) {
  if (!Is(a, HloOpcode::kSlice) || !Is(b, HloOpcode::kSlice) ||
      a->operand(0) != b->operand(0)) {
    return false;
  }
  const auto& first = a->attrs<SliceAttrs>().slice;
  const auto& second = b->attrs<SliceAttrs>().slice;
  for (size_t d = 0; d < first.size(); ++d) {
    if (static_cast<int64_t>(d) != dim) {
      if (first[d] != second[d]) return false;
    } else if (first[d].stride != 1 || second[d].stride != 1 ||
               first[d].limit != second[d].start) {
      return false;
    }
  }
  return true;
}

// concatenate(x[a:b], x[b:c]) => x[a:c], also among other operands
Result ConcatenateAdjacent(HloInstruction* hlo, RuleContext& context) {
  const int64_t dim = DimensionOf(hlo);
  std::vector<HloInstruction*> operands;
  for (int64_t i = 0; i < hlo->operand_count();) {
    HloInstruction* x = hlo->mutable_operand(i++);
    const HloInstruction* last = x;
    while (i < hlo->operand_count() && Continues(last, hlo->operand(i), dim)) {
      last = hlo->operand(i++);
    }
    if (last != x) {
      SliceAttrs attrs = x->attrs<SliceAttrs>();
      attrs.slice[dim].limit = last->attrs<SliceAttrs>().slice[dim].limit;
      TF_ASSIGN_OR_RETURN(
          x, context.Infer(HloOpcode::kSlice, {x->mutable_operand(0)}, attrs));
    }
    operands.push_back(x);
  }
  if (static_cast<int64_t>(operands.size()) == hlo->operand_count()) {
    return nullptr;
  }
  return MakeConcatenate(hlo, context, operands);
}

// concatenate(broadcast(s), broadcast(s)) => broadcast(s), for a scalar s
Result ConcatenateSplats(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) {
    return nullptr;
  }
  for (HloInstruction* x : hlo->operands()) {
    HloInstruction* other = Arg(x, HloOpcode::kBroadcast);
    if (other == nullptr || !IsSame(other, scalar)) return nullptr;
  }
  return context.Splat(hlo->shape(), scalar);
}

// concatenate(x, x) => broadcast(reshape(x)), along a dimension of size 1
Result ConcatenateCopies(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Lhs(hlo);
  const int64_t dim = DimensionOf(hlo);
  if (hlo->operand_count() < 2 || x->shape().dimensions(dim) != 1) {
    return nullptr;
  }
  for (const HloInstruction* other : hlo->operands()) {
    if (other != x) return nullptr;
  }
  BroadcastAttrs attrs;
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
    if (d == dim) continue;
    attrs.dimensions.push_back(d);
    sizes.push_back(hlo->shape().dimensions(d));
  }
  HloInstruction* flat =
      context.Reshape(ShapeUtil::MakeShape(TypeOf(x), sizes), x);
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {flat}, attrs);
}

// concatenate(x, broadcast(s)) => pad(x, s), concatenate(broadcast(s), x) =>
// pad(x, s), for a scalar s
Result ConcatenateWithSplat(HloInstruction* hlo, RuleContext& context) {
  if (hlo->operand_count() != 2) return nullptr;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* splat = hlo->mutable_operand(i);
    HloInstruction* scalar = Arg(splat, HloOpcode::kBroadcast);
    if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) continue;
    PaddingConfig config;
    for (int64_t d = 0; d < hlo->shape().rank(); ++d) {
      auto* padding = config.add_dimensions();
      if (d != DimensionOf(hlo)) continue;
      const int64_t size = splat->shape().dimensions(d);
      padding->set_edge_padding_low(i == 0 ? size : 0);
      padding->set_edge_padding_high(i == 1 ? size : 0);
    }
    return context.Pad(hlo->shape(), hlo->mutable_operand(1 - i), scalar,
                       std::move(config));
  }
  return nullptr;
}

constexpr Rule kConcatenate[] = {
    ConcatenateOne,       ConcatenateEmpty,  ConcatenateNested,
    ConcatenateAdjacent,  ConcatenateSplats, ConcatenateCopies,
    ConcatenateWithSplat,
};

}  // namespace

Rules ConcatenateRules() { return kConcatenate; }

}  // namespace xla::algebra
