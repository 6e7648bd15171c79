// Replaces the in-place collective-permute by one that is not in place:
//
//   r = f32[8] collective-permute(x, y, (i), (j)),
//       source_target_pairs={{0,1}}, slice_sizes={{2}}
//     =>  s = f32[2] dynamic-slice(x, i)
//         t = f32[2] collective-permute(s), source_target_pairs={{0,1}}
//         u = f32[2] select(is_target, t, dynamic-slice(y, j))
//         r = f32[8] dynamic-update-slice(y, u, j)
//
// and omits the select if every device receives. Each slice takes one such
// step, on all arrays together. Assumes that asynchronous pairs are plain ops.
// Leaves other collective-permutes alone.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_COLLECTIVE_PERMUTE_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_DEVICES_COLLECTIVE_PERMUTE_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class CollectivePermuteExpander : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "collective-permute-expander";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_COLLECTIVE_PERMUTE_EXPANDER_H_
