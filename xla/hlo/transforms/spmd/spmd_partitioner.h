// The SPMD partitioner: from a program over whole arrays with shardings, as
// sharding-propagation leaves it, to the program that each device runs on its
// parts:
//
//   x = f32[8,16] parameter(0), sharding={mesh['d'=4], [{}, {'d'}]}
//   y = f32[16,4] parameter(1), sharding={mesh['d'=4], [{'d'}, {}]}
//   ROOT z = f32[8,4] dot(x, y), ..., sharding={mesh['d'=4], replicated}
//
// becomes
//
//   x = f32[8,4] parameter(0)
//   y = f32[4,4] parameter(1)
//   z = f32[8,4] dot(x, y), ...
//   ROOT r = f32[8,4] all-reduce(z), replica_groups={{0,1,2,3}}, ...
//
// Each op runs on parts where its dimension factors (hlo/ops) or its OpRule
// allow it. Where the arrays' shardings differ, the split is chosen for which
// devices receive the fewest bytes (op_sharding.h), and reshards are
// all-gathers, reduce-scatters, all-reduces, all-to-alls, collective-permutes
// and slices (resharding.h). Sizes that do not divide are padded. Custom calls
// "SPMDFullToShardShape" and "SPMDShardToFullShape" are the borders of manual
// computations, whose instructions stay as they are along manual axes. Custom
// calls with a sharding rule are ops like others; those with a
// CustomPartitioner become what it says; "InspectSharding" tells the sharding
// of its operand and is gone.
//
// Each computation has one caller. The entry's layout is that of the parts;
// the shardings of parameters and result go to the module's
// spmd_parameters_shardings and spmd_output_sharding. Errors: InvalidArgument
// for shardings that do not fit, Unimplemented for sharded arrays with dynamic
// dimensions.
#ifndef XLA_HLO_TRANSFORMS_SPMD_SPMD_PARTITIONER_H_
#define XLA_HLO_TRANSFORMS_SPMD_SPMD_PARTITIONER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class SpmdPartitioner : public HloPassInterface {
 public:
  absl::string_view name() const override { return "spmd-partitioner"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_SPMD_PARTITIONER_H_
