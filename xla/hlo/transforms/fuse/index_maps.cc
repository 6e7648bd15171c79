// How each op moves indices, as far as counting needs it.
#include "xla/hlo/transforms/fuse/index_maps.h"

#include <algorithm>
#include <iterator>

#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/reduction_structure.h"
#include "xla/hlo/ops/fold/reduction.h"
#include "xla/hlo/ops/movement/gather_scatter.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/fuse/fusion_costs.h"

namespace xla {
namespace {

// The product of the last dimensions along which the operand does not change:
// loop-invariant code motion takes it out of their loops.
double InvariantElements(const HloInstruction& broadcast) {
  const auto& kept = broadcast.attrs<BroadcastAttrs>().dimensions;
  double elements = 1;
  int64_t d = static_cast<int64_t>(broadcast.shape().dimensions().size()) - 1;
  for (; d >= 0; --d) {
    const int64_t size = broadcast.shape().dimensions(d);
    if (size != 1 && std::find(kept.begin(), kept.end(), d) != kept.end()) {
      break;
    }
    elements *= static_cast<double>(std::max<int64_t>(1, size));
  }
  return elements;
}

// The same for the start indices of a gather: dimensions of slices behind all
// others do not change them.
double InvariantElementsOfStarts(const HloInstruction& gather) {
  const auto& offsets =
      gather.attrs<GatherAttrs>().dimension_numbers.offset_dims();
  double elements = 1;
  int64_t d = static_cast<int64_t>(gather.shape().dimensions().size()) - 1;
  for (; d >= 0; --d) {
    if (std::find(offsets.begin(), offsets.end(), d) == offsets.end()) break;
    elements *=
        static_cast<double>(std::max<int64_t>(1, gather.shape().dimensions(d)));
  }
  return elements;
}

bool MovesLastDimension(const HloInstruction& transpose) {
  const auto& permutation = transpose.attrs<TransposeAttrs>().dimensions;
  for (int64_t d = static_cast<int64_t>(permutation.size()) - 1; d >= 0; --d) {
    if (transpose.shape().dimensions(d) == 1) continue;
    int64_t last = static_cast<int64_t>(permutation.size()) - 1;
    while (transpose.operand(0)->shape().dimensions(last) == 1) --last;
    return permutation[d] != last;
  }
  return false;
}

double FoldedElements(const HloInstruction& fold) {
  double elements = 1;
  if (fold.opcode() == HloOpcode::kReduce) {
    for (int64_t d : fold.attrs<ReduceAttrs>().dimensions) {
      elements *= static_cast<double>(fold.operand(0)->shape().dimensions(d));
    }
  } else {
    for (const WindowDimension& dimension :
         fold.attrs<ReduceWindowAttrs>().window.dimensions()) {
      elements *= static_cast<double>(dimension.size());
    }
  }
  return elements;
}

}  // namespace

int32_t IndexMaps::Identity(const Shape& shape) {
  const int64_t elements = ShapeUtil::ElementsIn(shape);
  if (elements == 1) return kOnly;
  std::vector<int64_t> dimensions(shape.dimensions().begin(),
                                  shape.dimensions().end());
  auto [it, fresh] = identities_.try_emplace(std::move(dimensions),
                                             static_cast<int>(facts_.size()));
  if (fresh) {
    facts_.push_back({static_cast<double>(elements), /*identity=*/true, false});
  }
  return it->second;
}

int32_t IndexMaps::Through(int32_t map, const HloInstruction& user, int64_t i,
                           double factor, bool strided) {
  auto [it, fresh] =
      derived_.try_emplace({map, &user, i}, static_cast<int>(facts_.size()));
  if (fresh) {
    const Facts& from = facts_[map];
    facts_.push_back(
        {from.evaluations * factor, false, strided || from.strided});
  }
  return it->second;
}

int32_t IndexMaps::OfOperandAt(const HloInstruction& user, int64_t i,
                               int32_t map) {
  const Shape& operand = user.operand(i)->shape();
  switch (user.opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
      // The position in row-major order stays.
      if (facts_[map].identity) return Identity(operand);
      return Through(map, user, i, 1, false);
    case HloOpcode::kBroadcast:
      return Through(map, user, i, 1 / InvariantElements(user), false);
    case HloOpcode::kGather:
      return Through(map, user, i,
                     i == 0 ? 1 : 1 / InvariantElementsOfStarts(user), false);
    case HloOpcode::kTranspose:
      return Through(map, user, i, 1, MovesLastDimension(user));
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return Through(map, user, i, FoldedElements(user), false);
    case HloOpcode::kDynamicUpdateSlice:
      return i == 0 ? map : Through(map, user, i, 1, false);
    default:
      if (FusionRoleOf(user) == FusionRole::kElementwise) return map;
      return Through(map, user, i, 1, false);
  }
}

IndexMapSet IndexMaps::OfOperand(const HloInstruction& user, int64_t i,
                                 const IndexMapSet& maps,
                                 bool by_rows_or_columns) {
  const Shape& operand = user.operand(i)->shape();
  if (ShapeUtil::ElementsIn(operand) == 1) return {kOnly};
  if (user.opcode() == HloOpcode::kReduce && by_rows_or_columns &&
      !IsShortReduction(user)) {
    return {Identity(operand)};
  }
  IndexMapSet result;
  for (int32_t map : maps) result.push_back(OfOperandAt(user, i, map));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

IndexMapSet Union(const IndexMapSet& a, const IndexMapSet& b) {
  IndexMapSet result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(result));
  return result;
}

}  // namespace xla
