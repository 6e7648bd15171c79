// Expands the kernels of sparse convolutions to kernels with all zeros:
//
//   k = (f32[3,3,2,5], u8[3,3,2,5]) parameter(1)
//   r = f32[1,4,4,5] convolution(x, k), ...,
//       sparsity_config={rhs={sparsity=1x4 dimension=2 stride=0}}
//     =>  value and place of each block of 4, broadcast to [3,3,2,4,5];
//         d = f32[3,3,8,5] reshape(select(place == iota, value, 0))
//         r = f32[1,4,4,5] convolution(x, d), ...
//
// DenseKernel of the evaluator defines what places mean.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_SPARSE_CONVOLUTION_EXPANDER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_SPARSE_CONVOLUTION_EXPANDER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class SparseConvolutionExpander : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "sparse-convolution-expander";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_SPARSE_CONVOLUTION_EXPANDER_H_
