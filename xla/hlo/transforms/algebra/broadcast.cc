// Rules of broadcast.
#include <algorithm>
#include <utility>
#include <vector>

#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

const std::vector<int64_t>& DimensionsOf(const HloInstruction* hlo) {
  return hlo->attrs<BroadcastAttrs>().dimensions;
}

bool Ascends(absl::Span<const int64_t> dims) {
  return std::is_sorted(dims.begin(), dims.end());
}

HloInstruction* MakeBroadcast(HloInstruction* hlo, RuleContext& context,
                              HloInstruction* x, std::vector<int64_t> dims) {
  BroadcastAttrs attrs;
  attrs.dimensions = std::move(dims);
  return context.Make(HloOpcode::kBroadcast, hlo->shape(), {x}, attrs);
}

// broadcast(x) => x, to the same shape
Result BroadcastToSame(HloInstruction* hlo, RuleContext&) {
  if (hlo->shape() != Lhs(hlo)->shape() || !Ascends(DimensionsOf(hlo))) {
    return nullptr;
  }
  return Lhs(hlo);
}

// broadcast(broadcast(x)) => broadcast(x)
Result BroadcastTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBroadcast);
  if (x == nullptr) return nullptr;
  std::vector<int64_t> dims;
  for (int64_t d : DimensionsOf(Lhs(hlo))) {
    dims.push_back(DimensionsOf(hlo)[d]);
  }
  return MakeBroadcast(hlo, context, x, std::move(dims));
}

// broadcast(reshape(x)) => broadcast(x), where the reshape adds dimensions of
// size 1
Result BroadcastOfExpanded(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kReshape);
  if (x == nullptr) return nullptr;
  const auto change = ShapeUtil::InsertedOrDeleted1SizedDimensions(
      x->shape(), Lhs(hlo)->shape());
  if (!change.has_value() || !change->deleted_dimensions.empty()) {
    return nullptr;
  }
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < Lhs(hlo)->shape().rank(); ++d) {
    if (Contains(change->inserted_dimensions, d)) continue;
    dims.push_back(DimensionsOf(hlo)[d]);
  }
  return MakeBroadcast(hlo, context, x, std::move(dims));
}

// broadcast(x) => reshape(x), where new dimensions have size 1 and x is no
// scalar
Result BroadcastOfOnes(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Lhs(hlo);
  if (x->shape().rank() == 0 || !Ascends(DimensionsOf(hlo)) ||
      ShapeUtil::ElementsIn(x->shape()) !=
          ShapeUtil::ElementsIn(hlo->shape())) {
    return nullptr;
  }
  return context.Reshape(hlo->shape(), x);
}

// broadcast(iota) => iota
Result BroadcastOfIota(HloInstruction* hlo, RuleContext& context) {
  if (!Is(Lhs(hlo), HloOpcode::kIota)) return nullptr;
  IotaAttrs attrs;
  attrs.iota_dimension =
      DimensionsOf(hlo)[Lhs(hlo)->attrs<IotaAttrs>().iota_dimension];
  return context.Make(HloOpcode::kIota, hlo->shape(), {}, attrs);
}

constexpr Rule kBroadcast[] = {
    BroadcastToSame, BroadcastTwice,  BroadcastOfExpanded,
    BroadcastOfOnes, BroadcastOfIota,
};

}  // namespace

Rules BroadcastRules() { return kBroadcast; }

}  // namespace xla::algebra
