// Adds before all-reduces rather than after them:
//
//   add(all-reduce(x), all-reduce(y))  =>  all-reduce(add(x, y))
//
// where both all-reduces have the same groups, add, too, and have no other
// users; likewise for other reducers that are one op. The gradients of what
// several products read, as queries, keys and values do, then take one
// all-reduce instead of three.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_REASSOCIATE_H_
#define XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_REASSOCIATE_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AllReduceReassociate : public HloPassInterface {
 public:
  absl::string_view name() const override { return "all-reduce-reassociate"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_REASSOCIATE_H_
