// Multiplies where rows lie, instead of transposing an operand and the result,
// as convolutions of single positions with features before positions do:
//
//   t = f32[8,196,256] transpose(x), dimensions={0,2,1}    x: f32[8,256,196]
//   d = f32[1568,1024] dot(reshape(t), w), contracting {1} x {1}
//   y = f32[8,1024,196] transpose(reshape(d)), dimensions={0,2,1}
//     =>  y = f32[8,1024,196] dot(broadcast(w), x),
//                 batch {0} x {0}, contracting {2} x {1}
//
// Each element of the batch multiplies the same matrix, which the backend need
// not repeat in memory. Of x, any number of dimensions may stand for each of
// the three, and the batch for none. The pass asks for rows that fill vectors:
// those of 7x7 positions are better transposed.
//
// Assumes dots in canonical form and row-major layouts. Leaves dynamic
// dimensions, control edges and what others read as well alone. To run where
// nothing makes one dot of those of a batch again.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_DOT_TRANSPOSE_FOLDING_H_
#define XLA_HLO_TRANSFORMS_LINEAR_DOT_TRANSPOSE_FOLDING_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class DotTransposeFolding : public HloPassInterface {
 public:
  absl::string_view name() const override { return "dot-transpose-folding"; }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_DOT_TRANSPOSE_FOLDING_H_
