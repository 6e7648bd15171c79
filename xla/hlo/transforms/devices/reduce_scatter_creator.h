// Replaces an all-reduce of which each device keeps a part by a reduce-scatter,
// which moves a fraction of the bytes:
//
//   dynamic-slice(all-reduce(x), .., offset, ..)  =>  reduce-scatter(x)
//
// where nothing else reads the all-reduce, the slice is whole in all dimensions
// but one, and the member of number i in its group takes the i-th part there.
// `offset` may be any function of partition-id and replica-id, as what
// axis_index of JAX becomes; it is evaluated for each device.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_REDUCE_SCATTER_CREATOR_H_
#define XLA_HLO_TRANSFORMS_DEVICES_REDUCE_SCATTER_CREATOR_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReduceScatterCreator : public HloPassInterface {
 public:
  absl::string_view name() const override { return "reduce-scatter-creator"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_REDUCE_SCATTER_CREATOR_H_
