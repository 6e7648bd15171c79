// The shardings of an op's operands and results, seen as axes that split the
// op's factors, and one step of propagation between them.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_FACTOR_SHARDING_H_
#define XLA_HLO_TRANSFORMS_SHARDING_FACTOR_SHARDING_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla {

// How one array of an op splits one factor.
struct FactorSharding {
  bool present = false;  // whether a dimension of the array has the factor
  AxisList axes;
  // Axes that split the dimension further, but not along the factors that
  // follow. They stay as they are.
  AxisList overflow;
  bool is_closed = false;
  // The last factor of its dimension takes axes that do not divide it.
  bool is_minor_most = false;
};

// An array of an op, by the numbers of the op's factors.
struct ArrayFactors {
  std::vector<FactorSharding> factors;
  // What no factor can have: replicated, unreduced and manual axes.
  AxisList unavailable;
};

// Distributes the axes of each dimension over its factors: a factor takes axes,
// or parts of them, while they divide what is left of it, and the next factor
// follows only when it is full. Dimensions of a priority above `priority` count
// as closed and not split, and their axes as unavailable.
ArrayFactors ProjectToFactors(const MeshSharding& sharding,
                              const DimensionFactors& op,
                              const DimensionFactors::Array& dimensions,
                              int64_t priority);
// Sets the axes of the dimensions to those of their factors, except for
// dimensions of a priority above `priority`. Returns whether this changed any.
bool UpdateFromFactors(const ArrayFactors& array, const DimensionFactors& op,
                       const DimensionFactors::Array& dimensions,
                       int64_t priority, MeshSharding& sharding);

// Who may make a factor's list of axes longer.
enum class PropagationDirection : uint8_t {
  kNone,
  kForward,   // operands
  kBackward,  // results
  kBoth,
};

enum class PropagationStrategy : uint8_t {
  // All arrays get the same axes, those that none refuses.
  kBasic,
  // Each array takes what it can. Where two factors want one axis, that which a
  // larger array asks for is first.
  kAggressive,
};

struct PropagationStep {
  PropagationDirection direction = PropagationDirection::kBoth;
  PropagationStrategy strategy = PropagationStrategy::kBasic;
  // The most restrictive kind of factors that are propagated.
  FactorKind max_kind = FactorKind::kWhole;
  // Operands take no axes that the results lack.
  bool is_elementwise = false;
};

// Makes the lists of axes of each factor longer, the arrays being the operands
// and then the results; `sizes` are their elements. Lists only grow, and only
// where one is a prefix of the other.
void PropagateFactors(const DimensionFactors& op, const PropagationStep& step,
                      absl::Span<const int64_t> sizes,
                      absl::Span<ArrayFactors> arrays);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_FACTOR_SHARDING_H_
