// Brings every convolution into one form:
//
//   convolution(x, w), dim_labels=bf01_oi01->bf01
//     =>  x' = transpose(x)                            [batch, spatial, in]
//         w' = transpose(w)                            [spatial, in, out]
//         y  = convolution(x', w'), dim_labels=b01f_01io->b01f
//         transpose(y)
//
// Reversed windows become a reverse of the kernel, and batch groups become
// feature groups of a reshaped input, in which features become a spatial
// dimension if a group has one batch element. Holes in the input disappear
// (base_dilation.h). A convolution of one group with single-element windows, or
// without spatial dimensions, becomes a dot. So does one whose window has a
// single place, such as the gradient of a kernel of one element, and one whose
// single-element windows have steps, if its kernel need not be transposed then:
// dots of slices, where not all of the input is read. Dynamic dimensions are
// left alone.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_CONVOLUTION_CANONICALIZER_H_
#define XLA_HLO_TRANSFORMS_LINEAR_CONVOLUTION_CANONICALIZER_H_

#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

class ConvolutionCanonicalizer : public HloPassInterface {
 public:
  absl::string_view name() const override {
    return "convolution-canonicalizer";
  }
  absl::StatusOr<bool> RunImpl(HloModule* module) override;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_CONVOLUTION_CANONICALIZER_H_
