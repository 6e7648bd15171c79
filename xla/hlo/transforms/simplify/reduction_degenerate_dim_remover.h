// Computes reductions of the same rows without dimensions of size 1 where these
// keep the reductions from being one kernel:
//
//   m = f32[1,8,64,1] reduce(x, low), dimensions={4}      x is f32[1,8,64,1,32]
//   e = f32[1,1,8,64,32] ... reshape(x) ... m
//   s = f32[1,1,8,64] reduce(e, zero), dimensions={4}
//     =>  y = f32[8,64,32] reshape(x)
//         m = f32[8,64] reduce(y, low), dimensions={2}
//         e = f32[8,64,32] ... y ... m
//         s = f32[8,64] reduce(e, zero), dimensions={2}
//
// What changes is the region of element-wise ops, broadcasts, reductions and
// such reshapes and transposes that only add, move or drop dimensions of size
// 1, whose arrays have the dimensions of the rows or of the results. At its
// border are reshapes. A region changes only if two of its reductions differ in
// dimensions of size 1; vmap makes such programs, and so does
// jax.nn.dot_product_attention.
//
// Leaves reductions of several arrays, layouts other than the default, dynamic
// dimensions, control edges and instructions with shardings alone.
#ifndef XLA_HLO_TRANSFORMS_SIMPLIFY_REDUCTION_DEGENERATE_DIM_REMOVER_H_
#define XLA_HLO_TRANSFORMS_SIMPLIFY_REDUCTION_DEGENERATE_DIM_REMOVER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ReductionDegenerateDimRemover : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "reduction-degenerate-dim-remover";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SIMPLIFY_REDUCTION_DEGENERATE_DIM_REMOVER_H_
