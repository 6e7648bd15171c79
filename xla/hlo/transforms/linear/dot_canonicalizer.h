// Brings every dot into one of a few forms:
//
//   d = f32[2,3,5,7] dot(f32[2,3,4], f32[4,5,7])      r = f32[4,35] reshape(y)
//         contracting {2} x {0}                  =>   l = f32[6,4] reshape(x)
//                                                     e = f32[6,35] dot(l, r)
//                                                     d = f32[2,3,5,7]
//                                                             reshape(e)
//
// Afterwards each side has at most one batch dimension, first, and exactly one
// free and one contracting dimension, in either order: [b,m,k] or [b,k,m], and
// [b,k,n] or [b,n,k]. Transposes are only added if dimensions of one kind are
// not adjacent in the right order; contracting dimensions get the order that
// needs the fewest moves. Precision and result type stay the same. Dots with
// dynamic dimensions are left alone.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_DOT_CANONICALIZER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_DOT_CANONICALIZER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DotCanonicalizer : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dot-canonicalizer"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_DOT_CANONICALIZER_H_
