// Which ops turn partial values of operands into partial values of the result,
// so that the reduction may come later.
#ifndef XLA_HLO_TRANSFORMS_PARTITION_RULES_PARTIAL_VALUES_H_
#define XLA_HLO_TRANSFORMS_PARTITION_RULES_PARTIAL_VALUES_H_

#include <cstdint>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/partition_rules/op_rule.h"

namespace xla {

// Returns which operands are to have partial values, so that the result has
// them: f(reduce(x_1, .., x_n)) = reduce(f(x_1), .., f(x_n)), where device i
// has x_i of these operands and all of the others. Of a product one may be
// partial, of an add both are, and the reducer's identity stands for what an
// operand lacks. `are_partial` says which operands are so far. Empty if none is
// that may stay so: an exponential does not commute with a sum.
std::vector<bool> OperandsToKeepPartial(const HloInstruction& hlo,
                                        HloOpcode reducer,
                                        const std::vector<bool>& are_partial);

// The op that combines partial values of arrays with this sharding: or stands
// for the sum of predicates.
HloOpcode ReducerOf(const MeshSharding& sharding, PrimitiveType type);

// Says how an array is divided; partial values are then of this kind.
void SetSharding(PartitionedArray& array, const MeshSharding& sharding);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_PARTITION_RULES_PARTIAL_VALUES_H_
