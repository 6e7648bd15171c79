// Sharding propagation:
//
//   x = f32[8,16] parameter(0), sharding={mesh['d'=4], [{'d'}, {}]}
//   y = f32[16,4] parameter(1), sharding={mesh['d'=4], [{}, {}]}
//   ROOT z = f32[8,4] dot(x, y), ...
//
// gives z the sharding {mesh['d'=4], [{'d', ?}, {?}]}. All instructions of the
// computations that run on every partition have a named sharding afterwards,
// which also names the manual axes where they are. Calls are inlined, and
// asynchronous ops wait where they start. One partition is left alone. Of the
// custom calls that state shardings (sharding_calls.h) there are left:
//
// - "Sharding": an array is divided in another way from here on. So are results
//   of the entry whose value inside is divided in another way.
// - "SPMDFullToShardShape" and "SPMDShardToFullShape", at the boundaries of
//   manual computations. How the array outside is divided is the sharding of
//   the former's operand and of the latter's result.
//
// Programs come out the same for the same input; the order in which axes are
// propagated is that of Shardy:
//
// 1. Dimensions by user priority.
// 2. Ops by class, each in addition to those before it: element-wise ops and
//    reshapes whose operands have one use; all of these; passed-through factors
//    of all ops; all factors; broadcasts from their operands.
// 3. Axes on which all arrays of an op agree, then what each can take.
//
// Parameters and results keep the axes that divide their dimensions, whole ones
// if the dimension is open. Errors: InvalidArgument for broken shardings,
// sharding rules and boundaries of manual computations; Unimplemented for a
// manual computation inside of one over another mesh; ResourceExhausted if
// inlining makes too many instructions.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_SHARDING_PROPAGATION_H_
#define XLA_HLO_TRANSFORMS_SHARDING_SHARDING_PROPAGATION_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ShardingPropagation : public HloPassInterface {
 public:
  absl::string_view name() const override { return "sharding-propagation"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_SHARDING_PROPAGATION_H_
