// Rules of pad.
#include <algorithm>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const PaddingConfig& PaddingOf(const HloInstruction* hlo) {
  return hlo->attrs<PadAttrs>().padding;
}

// pad(x, v), with zeros => x
Result PadNothing(HloInstruction* hlo, RuleContext&) {
  for (int d = 0; d < PaddingOf(hlo).dimensions_size(); ++d) {
    const auto& p = PaddingOf(hlo).dimensions(d);
    const bool holes =
        p.interior_padding() != 0 && Lhs(hlo)->shape().dimensions(d) > 1;
    if (p.edge_padding_low() != 0 || p.edge_padding_high() != 0 || holes) {
      return nullptr;
    }
  }
  return Lhs(hlo);
}

// pad(x, v) => broadcast(v), where x has no elements
Result PadOfNothing(HloInstruction* hlo, RuleContext& context) {
  if (!ShapeUtil::IsZeroElementArray(Lhs(hlo)->shape())) return nullptr;
  return context.Splat(hlo->shape(), Rhs(hlo));
}

// pad(broadcast(v), v) => broadcast(v)
Result PadBySame(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !IsSame(scalar, Rhs(hlo))) return nullptr;
  return context.Splat(hlo->shape(), Rhs(hlo));
}

// pad(x, v), with a negative edge => slice(pad(x, v)) or slice(x)
Result PadNegative(HloInstruction* hlo, RuleContext& context) {
  PadAttrs attrs = hlo->attrs<PadAttrs>();
  SliceAttrs slice;
  bool negative = false;
  for (int d = 0; d < attrs.padding.dimensions_size(); ++d) {
    auto* p = attrs.padding.mutable_dimensions(d);
    const int64_t start = std::max<int64_t>(0, -p->edge_padding_low());
    negative |= p->edge_padding_low() < 0 || p->edge_padding_high() < 0;
    p->set_edge_padding_low(std::max<int64_t>(0, p->edge_padding_low()));
    p->set_edge_padding_high(std::max<int64_t>(0, p->edge_padding_high()));
    slice.slice.push_back({start, start + hlo->shape().dimensions(d), 1});
  }
  if (!negative) return nullptr;
  TF_ASSIGN_OR_RETURN(
      HloInstruction * padded,
      context.Infer(HloOpcode::kPad, hlo->operands(), std::move(attrs)));
  return context.Make(HloOpcode::kSlice, hlo->shape(), {padded}, slice);
}

// pad(pad(x, v), v) => pad(x, v), where the outer one adds edges only
Result PadTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  if (!Is(inner, HloOpcode::kPad) || !IsSame(Rhs(inner), Rhs(hlo))) {
    return nullptr;
  }
  PadAttrs attrs = inner->attrs<PadAttrs>();
  for (int d = 0; d < attrs.padding.dimensions_size(); ++d) {
    const auto& outer = PaddingOf(hlo).dimensions(d);
    auto* p = attrs.padding.mutable_dimensions(d);
    // What a negative edge cuts off cannot be added to.
    if (outer.interior_padding() != 0 || outer.edge_padding_low() < 0 ||
        outer.edge_padding_high() < 0 || p->edge_padding_low() < 0 ||
        p->edge_padding_high() < 0) {
      return nullptr;
    }
    p->set_edge_padding_low(p->edge_padding_low() + outer.edge_padding_low());
    p->set_edge_padding_high(p->edge_padding_high() +
                             outer.edge_padding_high());
  }
  return context.Make(HloOpcode::kPad, hlo->shape(), {Lhs(inner), Rhs(hlo)},
                      std::move(attrs));
}

constexpr Rule kPad[] = {
    PadNothing, PadOfNothing, PadBySame, PadNegative, PadTwice,
};

}  // namespace

Rules PadRules() { return kPad; }

}  // namespace xla::algebra
