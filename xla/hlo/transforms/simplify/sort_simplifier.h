// Drops operands of a sort that neither its comparator nor another op reads:
//
//   s = (f32[8], s32[8]) sort(keys, values), ...
//   ROOT k = f32[8] get-tuple-element(s), index=0   =>   ROOT k = f32[8]
//                                                           sort(keys), ...
//
// and removes sorts along a dimension of at most one element. The comparator
// takes (a0, b0, a1, b1, ...), as the op's rules say.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_SORT_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_SORT_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class SortSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override { return "sort-simplifier"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_SORT_SIMPLIFIER_H_
