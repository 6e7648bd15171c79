// Numbers maps by how each op reads its operands.
#include "xla/hlo/transforms/fuse/indexing_map_ids.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"

namespace xla {
namespace {

// How often, and in which way, an op reads an operand.
struct ReadFacts {
  bool identity = false;
  double factor = 1;  // for each element of the result
  bool strided = false;
};

// Returns the product of the last dimensions on which the expressions do not
// depend: loop-invariant code motion moves the value out of their loops.
double InvariantElements(const Shape& result,
                         absl::FunctionRef<bool(int32_t)> depends_on) {
  double elements = 1;
  for (int32_t d = static_cast<int32_t>(result.dimensions().size()) - 1;
       d >= 0 && !depends_on(d); --d) {
    elements *= static_cast<double>(std::max<int64_t>(1, result.dimensions(d)));
  }
  return elements;
}

double RangeElements(const IndexingMap& map) {
  double elements = 1;
  for (int64_t size : map.RangeSizes()) elements *= static_cast<double>(size);
  return elements;
}

// Whether elements that are neighbours along the last dimension of the result
// are not neighbours in the operand, as in a transpose.
bool IsStrided(const Shape& result, const Shape& operand,
               const IndexingMap& map) {
  int32_t last = static_cast<int32_t>(result.dimensions().size()) - 1;
  while (last >= 0 && result.dimensions(last) == 1) --last;
  int64_t minor = static_cast<int64_t>(operand.dimensions().size()) - 1;
  while (minor >= 0 && operand.dimensions(minor) == 1) --minor;
  if (last < 0 || minor < 0 || map.results()[minor].DependsOn(last)) {
    return false;
  }
  return absl::c_any_of(map.results(),
                        [&](const IndexExpr& e) { return e.DependsOn(last); });
}

ReadFacts FactsOf(const HloInstruction& user, int64_t i) {
  const std::optional<OpIndexing> indexing = IndexingOf(user);
  if (!indexing.has_value()) return {};
  const Shape& result =
      user.shape().IsTuple() ? user.shape().tuple_shapes(0) : user.shape();
  for (const auto& [operand, map] : indexing->reads) {
    if (operand == i) {
      const double invariant = InvariantElements(
          result, [&](int32_t d) { return map.DependsOn(d); });
      const Shape& shape = user.operand(i)->shape();
      return {map.IsIdentity() && ShapeUtil::SameDimensions(shape, result),
              RangeElements(map) / invariant, IsStrided(result, shape, map)};
    }
    for (const IndexingMap::Variable& variable : map.variables()) {
      if (variable.kind != IndexingMap::Kind::kRuntime ||
          variable.source != i) {
        continue;
      }
      // It says where elements are read.
      return {.factor = 1 / InvariantElements(result, [&](int32_t d) {
                          return absl::c_any_of(variable.index,
                                                [&](const IndexExpr& e) {
                                                  return e.DependsOn(d);
                                                });
                        })};
    }
  }
  return {};
}

}  // namespace

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

int32_t IndexingMapIds::OfOperandAt(const HloInstruction& user, int64_t i,
                                    FusionRole role, int32_t map) {
  if (role == FusionRole::kElementwise) return map;
  // A reshape keeps the position in row-major order.
  if (role == FusionRole::kReshape && facts_[map].identity) {
    return Identity(user.operand(i)->shape());
  }
  auto [it, fresh] = derived_.try_emplace({map, &user, i}, map);
  if (!fresh) return it->second;
  const ReadFacts facts = FactsOf(user, i);
  if (!facts.identity) {
    it->second = static_cast<int32_t>(facts_.size());
    const Facts& from = facts_[map];
    facts_.push_back({from.evaluations * facts.factor, false,
                      facts.strided || from.strided});
  }
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
