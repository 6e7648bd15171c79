// Rules of pad.
#include <algorithm>
#include <limits>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ops/movement/slicing.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const PaddingConfig& PaddingOf(const HloInstruction* hlo) {
  return hlo->attrs<PadAttrs>().padding;
}

// Returns how many elements an edge cuts off.
int64_t CutBy(int64_t edge) {
  return edge < 0 ? -std::max(edge, -std::numeric_limits<int64_t>::max()) : 0;
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

// pad(x, v), with a negative edge => pad(slice(x), v), where x has no holes
Result PadNegative(HloInstruction* hlo, RuleContext& context) {
  PadAttrs attrs = hlo->attrs<PadAttrs>();
  SliceAttrs slice;
  bool cuts = false;
  for (int d = 0; d < attrs.padding.dimensions_size(); ++d) {
    auto* p = attrs.padding.mutable_dimensions(d);
    const int64_t size = Lhs(hlo)->shape().dimensions(d);
    int64_t low = p->edge_padding_low(), high = p->edge_padding_high();
    int64_t start = 0, limit = size;
    if (p->interior_padding() == 0 || size < 2) {
      start = std::min(size, CutBy(low));
      limit = size - std::min(size - start, CutBy(high));
      // Elements that an edge cuts beyond x come off the other edge.
      const int64_t low_left = low + start;
      const int64_t high_left = high + size - limit;
      low = std::max<int64_t>(0, low_left) + std::min<int64_t>(0, high_left);
      high = std::max<int64_t>(0, high_left) + std::min<int64_t>(0, low_left);
    }
    cuts |= start != 0 || limit != size;
    slice.slice.push_back({start, limit, 1});
    p->set_edge_padding_low(low);
    p->set_edge_padding_high(high);
  }
  if (!cuts) return nullptr;
  TF_ASSIGN_OR_RETURN(HloInstruction * part,
                      context.Infer(HloOpcode::kSlice, {Lhs(hlo)}, slice));
  return context.Make(HloOpcode::kPad, hlo->shape(), {part, Rhs(hlo)},
                      std::move(attrs));
}

// pad(x, v), with a negative edge => slice(pad(x, v)), where x has holes
Result PadNegativeWithHoles(HloInstruction* hlo, RuleContext& context) {
  PadAttrs attrs = hlo->attrs<PadAttrs>();
  SliceAttrs slice;
  bool negative = false;
  for (int d = 0; d < attrs.padding.dimensions_size(); ++d) {
    auto* p = attrs.padding.mutable_dimensions(d);
    const int64_t low_cut = CutBy(p->edge_padding_low());
    const int64_t high_cut = CutBy(p->edge_padding_high());
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max() - 1;
    const int64_t dilated =
        window_util::DilatedBound(Lhs(hlo)->shape().dimensions(d),
                                  std::min(p->interior_padding(), kMost) + 1);
    // Otherwise the intermediate array might be too large.
    if (low_cut > dilated || high_cut > dilated) return nullptr;
    negative |= low_cut > 0 || high_cut > 0;
    p->set_edge_padding_low(p->edge_padding_low() + low_cut);
    p->set_edge_padding_high(p->edge_padding_high() + high_cut);
    slice.slice.push_back({low_cut, low_cut + hlo->shape().dimensions(d), 1});
  }
  if (!negative) return nullptr;
  auto padded =
      context.Infer(HloOpcode::kPad, hlo->operands(), std::move(attrs));
  if (!padded.ok()) return nullptr;  // the shape overflows int64
  return context.Make(HloOpcode::kSlice, hlo->shape(), {*padded}, slice);
}

// pad(pad(x, v), v) => pad(x, v), where the outer one only adds edges
Result PadTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  if (!Is(inner, HloOpcode::kPad) || !IsSame(Rhs(inner), Rhs(hlo))) {
    return nullptr;
  }
  PadAttrs attrs = inner->attrs<PadAttrs>();
  for (int d = 0; d < attrs.padding.dimensions_size(); ++d) {
    const auto& outer = PaddingOf(hlo).dimensions(d);
    auto* p = attrs.padding.mutable_dimensions(d);
    // Elements that a negative edge cuts off cannot be added back.
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
    PadNothing,  PadOfNothing,         PadBySame,
    PadNegative, PadNegativeWithHoles, PadTwice,
};

}  // namespace

Rules PadRules() { return kPad; }

}  // namespace xla::algebra
