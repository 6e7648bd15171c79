// Chooses how an op is split among devices.
#ifndef XLA_HLO_TRANSFORMS_SPMD_OP_SHARDING_H_
#define XLA_HLO_TRANSFORMS_SPMD_OP_SHARDING_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {

// What ChooseFactorAxes works with. Operands and results have the shapes and
// shardings that they have, or are to have.
struct OpShardingProblem {
  const HloInstruction& hlo;
  const DimensionFactors& factors;
  const OpRule& rule;
  std::shared_ptr<const DeviceMesh> mesh;
  AxisList manual;  // axes that nothing may be split along
  absl::Span<const PartitionedArray> operands;
  absl::Span<const PartitionedArray> results;
};

// Returns the axes with the least cost among those that the arrays' shardings
// suggest, each array's first in turn: the bytes that a device receives to
// reshard the operands, to compute, and to reshard the results, and, for less,
// what it reads, writes and multiplies. Of equal ones it is that of the
// results, or of the first operand.
FactorAxes ChooseFactorAxes(const OpShardingProblem& problem);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_OP_SHARDING_H_
