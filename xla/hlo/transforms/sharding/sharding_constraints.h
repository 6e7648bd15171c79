// What a module's sharding calls state about arrays near them, as Shardy's
// import passes see it.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CONSTRAINTS_H_
#define XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CONSTRAINTS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Gives each array of the entry's result an instruction of its own, an
// "xla.sdy.FuncResultSharding" call, so that the result's sharding is not that
// of the value inside. It has the sharding that the root states for it, as a
// tuple, or closed dimensions if propagation may not choose.
absl::Status AddResultCalls(HloModule* module);

// Applies constraints to the arrays that they are about. A constraint without
// open dimensions becomes the sharding of its operand, unless that has one or
// another constraint differs. If the operand is the carry of a loop, which all
// iterations have in common, or the result of control flow, its other users use
// the constraint instead. So do later users of an array behind which there is a
// chain of constraints, each with one use; they use the last one.
absl::Status ApplyShardingConstraints(HloModule* module);

// Gives each array of a group whose arrays state different shardings a call
// without any, which its users and the group use instead.
absl::Status SeparateConflictingGroups(HloModule* module);

// Removes the calls that are of no use when all shardings are known: those of
// groups, results that are divided as the value inside, and dead copies. Other
// calls become "Sharding". Returns whether it changed more than what
// AddResultCalls added.
absl::StatusOr<bool> FinishShardingCalls(HloModule* module);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_SHARDING_CONSTRAINTS_H_
