// Rules of reshape, bitcast and copy.
#include "xla/hlo/ops/movement/reshape.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// reshape(x) => x, to the same shape
Result ReshapeToSame(HloInstruction* hlo, RuleContext&) {
  return hlo->shape() == Lhs(hlo)->shape() ? Lhs(hlo) : nullptr;
}

// reshape(reshape(x)) => reshape(x)
Result ReshapeTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kReshape);
  return x == nullptr ? nullptr : context.Reshape(hlo->shape(), x);
}

// reshape(broadcast(s)) => broadcast(s), for a scalar s
Result ReshapeOfSplat(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* scalar = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (scalar == nullptr || !ShapeUtil::IsScalar(scalar->shape())) {
    return nullptr;
  }
  return context.Splat(hlo->shape(), scalar);
}

// reshape(broadcast(x)) => broadcast(reshape(x)), where dimensions of x are not
// joined with new ones
Result ReshapeOfBroadcast(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* broadcast = Lhs(hlo);
  HloInstruction* x = Arg(broadcast, HloOpcode::kBroadcast);
  if (x == nullptr || !OneUse(broadcast)) return nullptr;
  const auto along = ReshapedBroadcast(
      broadcast->shape().dimensions(),
      broadcast->attrs<BroadcastAttrs>().dimensions, hlo->shape().dimensions());
  if (!along.has_value()) return nullptr;
  const BroadcastAttrs attrs = {*along};
  std::vector<int64_t> sizes;
  for (int64_t d : attrs.dimensions) {
    sizes.push_back(hlo->shape().dimensions(d));
  }
  HloInstruction* small =
      context.Reshape(ShapeUtil::MakeShape(TypeOf(x), sizes), x);
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {small}, attrs);
}

// reshape(iota) => iota, where the iota dimension keeps its size
Result ReshapeOfIota(HloInstruction* hlo, RuleContext& context) {
  if (!Is(Lhs(hlo), HloOpcode::kIota)) return nullptr;
  const size_t counted = Lhs(hlo)->attrs<IotaAttrs>().iota_dimension;
  const auto from = Lhs(hlo)->shape().dimensions();
  const auto to = hlo->shape().dimensions();
  for (const ReshapeGroup& group : ReshapeGroups(from, to)) {
    if (counted < group.from || counted >= group.from_end) continue;
    for (size_t d = group.from; d < group.from_end; ++d) {
      if (d != counted && from[d] != 1) return nullptr;
    }
    for (size_t d = group.to; d < group.to_end; ++d) {
      if (to[d] != from[counted]) continue;
      IotaAttrs attrs;
      attrs.iota_dimension = d;
      return context.Make(HloOpcode::kIota, hlo->shape(), {}, attrs);
    }
  }
  return nullptr;
}

// bitcast(x) => x, to the same shape and layout
Result BitcastToSame(HloInstruction* hlo, RuleContext&) {
  return hlo->shape() == Lhs(hlo)->shape() ? Lhs(hlo) : nullptr;
}

// bitcast(bitcast(x)) => bitcast(x)
Result BitcastTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBitcast);
  if (x == nullptr) return nullptr;
  if (x->shape() == hlo->shape()) return x;
  return context.Make(HloOpcode::kBitcast, hlo->shape(), {x});
}

// copy(x) => x, in the same layout
Result CopyToSame(HloInstruction* hlo, RuleContext&) {
  return hlo->shape() == Lhs(hlo)->shape() ? Lhs(hlo) : nullptr;
}

// copy(copy(x)) => copy(x)
Result CopyTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kCopy);
  if (x == nullptr) return nullptr;
  return context.Make(HloOpcode::kCopy, hlo->shape(), {x});
}

constexpr Rule kReshape[] = {
    ReshapeToSame,      ReshapeTwice,  ReshapeOfSplat,
    ReshapeOfBroadcast, ReshapeOfIota,
};
constexpr Rule kBitcast[] = {BitcastToSame, BitcastTwice};
constexpr Rule kCopy[] = {CopyToSame, CopyTwice};

}  // namespace

Rules ReshapeRules() { return kReshape; }
Rules BitcastRules() { return kBitcast; }
Rules CopyRules() { return kCopy; }

}  // namespace xla::algebra
