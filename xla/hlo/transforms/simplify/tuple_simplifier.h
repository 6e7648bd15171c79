// Bypasses tuples that hold values:
//
//   t = (f32[], f32[]) tuple(a, b)
//   x = f32[] get-tuple-element(t), index=0    =>   ROOT n = f32[] negate(a)
//   ROOT n = f32[] negate(x)
//
// and tuple(gte(t, 0), gte(t, 1), ...) => t if it has all elements of t.
// Elements of a tuple-shaped select are selected separately:
//
//   s = (f32[], f32[]) select(p, t, u)
//   x = f32[] get-tuple-element(s), index=0    =>   x = f32[] select(p, gte(t,
//                                                        0), gte(u, 0))
//
// A constant that is a tuple becomes a tuple of constants.
//
// Other instructions with control edges or differing layouts are left alone.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_TUPLE_SIMPLIFIER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_TUPLE_SIMPLIFIER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class TupleSimplifier : public HloPassInterface {
 public:
  absl::string_view name() const override { return "tuple-simplifier"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_TUPLE_SIMPLIFIER_H_
