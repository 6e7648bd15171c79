// Splits reductions that are long and have few results into two, the first of
// which has enough results to keep threads busy:
//
//   ROOT s = f32[] reduce(x, z),       r = f32[512,32768] reshape(x)
//       dimensions={0}                 p = f32[512] reduce(r, z),
//       dimensions={1}
//                                  =>  ROOT s = f32[] reduce(p, z),
//                                          dimensions={0}
//
// for x = f32[16777216], and columns alike. Dimensions that are not next to
// each other are reduced one group after the other; few columns of many rows
// become wider ones, or rows. How a reduction is cut follows from its shape
// alone, so that results do not depend on threads. Of reductions by add,
// multiply, minimum, maximum, and, or, xor, and of static shapes in row-major
// layout; others are left alone, and so are small ones.
#ifndef XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_
#define XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReductionSplitter : public HloPassInterface {
 public:
  absl::string_view name() const override { return "reduction-splitter"; }
  absl::StatusOr<bool> Run(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_REDUCTION_SPLITTER_H_
