// Makes one all-reduce of several arrays from all-reduces of one each, where
// groups, reducer and type are the same and none depends on another, as for the
// gradients of a data-parallel step:
//
//   a = f32[8] all-reduce(x), b = f32[4,4] all-reduce(y)
//     =>  (f32[8], f32[4,4]) all-reduce(x, y)
//
// One meeting of the devices then does the work of many. An all-reduce takes up
// to 64 MB, so that the first results do not wait for the last operands.
#ifndef XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_COMBINER_H_
#define XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_COMBINER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class AllReduceCombiner : public HloPassInterface {
 public:
  absl::string_view name() const override { return "all-reduce-combiner"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_DEVICES_ALL_REDUCE_COMBINER_H_
