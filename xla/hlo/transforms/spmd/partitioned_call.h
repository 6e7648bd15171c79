// Custom calls that run on parts of their operands.
#ifndef XLA_HLO_TRANSFORMS_SPMD_PARTITIONED_CALL_H_
#define XLA_HLO_TRANSFORMS_SPMD_PARTITIONED_CALL_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/dimension_factors.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"

namespace xla {

// Returns the factors along which an op may be divided: those of the op, or of
// a custom call's sharding rule. What a rule calls a reduction stays whole,
// since it does not say that the call's results for parts add up. Errors: those
// of ShardingRuleOf.
absl::StatusOr<std::optional<DimensionFactors>> PartitionFactorsOf(
    const HloInstruction& hlo);

// What each device does for a call that a framework divides.
struct DividedCall {
  // Of the module: from the operands' parts to those of the results, a tuple if
  // the call's result is one.
  HloComputation* program;
  std::vector<MeshSharding> operands;
  std::vector<MeshSharding> results;
};

// Asks the partitioner to divide a call of arrays whose results are to have the
// shardings `results`, and adds the program to `module`, with channels of its
// own. Axes of manual computations stay theirs. Errors: those of the
// partitioner; InvalidArgument if its program does not fit its shardings.
absl::StatusOr<DividedCall> DivideCall(
    const HloInstruction& call, const CustomPartitioner& partitioner,
    absl::Span<const PartitionedArray> operands,
    absl::Span<const MeshSharding> results, HloModule* module,
    SpmdModuleState& state);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_PARTITIONED_CALL_H_
