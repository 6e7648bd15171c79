// Numbers maps by how each op reads its operands.
#include "xla/hlo/transforms/fuse/indexing_map_ids.h"

#include <algorithm>
#include <iterator>

#include "xla/core/shape_util.h"

namespace xla {

int32_t IndexingMapIds::Identity(const Shape& shape) {
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

const OperandAccess* IndexingMapIds::AccessOf(const HloInstruction& user,
                                              int64_t i) {
  auto [it, fresh] = accesses_.try_emplace(&user);
  if (fresh) {
    it->second = OperandAccessesOf(user).value_or(std::vector<OperandAccess>());
  }
  for (const OperandAccess& access : it->second) {
    if (access.operand == i) return &access;
  }
  return nullptr;
}

int32_t IndexingMapIds::OfOperandAt(const HloInstruction& user, int64_t i,
                                    FusionRole role, int32_t map) {
  if (role == FusionRole::kElementwise) return map;
  // A reshape keeps the position in row-major order.
  if (role == FusionRole::kReshape && facts_[map].identity) {
    return Identity(user.operand(i)->shape());
  }
  if (facts_[map].identity && backend_.VisitsOperandsOnce(user) &&
      map == Identity(user.shape())) {
    return Identity(user.operand(i)->shape());
  }
  auto [it, fresh] = derived_.try_emplace({map, &user, i}, map);
  if (!fresh) return it->second;
  const OperandAccess* access = AccessOf(user, i);
  if (access != nullptr && access->is_identity) return map;
  it->second = static_cast<int32_t>(facts_.size());
  Facts facts = facts_[map];
  facts.identity = false;
  if (access != nullptr) {
    // Loop-invariant code motion takes out of inner loops what they repeat.
    facts.evaluations *= access->elements / access->repeats;
    facts.strided |= access->order == AccessOrder::kTransposed ||
                     access->order == AccessOrder::kStrided;
  }
  facts_.push_back(facts);
  return it->second;
}

IndexingMapIdSet IndexingMapIds::OfOperand(const HloInstruction& user,
                                           int64_t i,
                                           const IndexingMapIdSet& maps,
                                           FusionRole role,
                                           bool in_reduction_kernel) {
  const Shape& operand = user.operand(i)->shape();
  if (ShapeUtil::ElementsIn(operand) == 1) return {kOnly};
  if (role == FusionRole::kReduce && in_reduction_kernel) {
    return {Identity(operand)};
  }
  IndexingMapIdSet result;
  for (int32_t map : maps) result.push_back(OfOperandAt(user, i, role, map));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

IndexingMapIdSet Union(const IndexingMapIdSet& a, const IndexingMapIdSet& b) {
  IndexingMapIdSet result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(result));
  return result;
}

}  // namespace xla
