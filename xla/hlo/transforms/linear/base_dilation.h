// Convolutions whose input has holes, as gradients of strided convolutions and
// transposed convolutions have, by convolutions without holes. An output
// position meets an input element only at some of the kernel's elements, and
// output positions at the same distance from a hole (of the same phase) at the
// same ones:
//
//   convolution(x, w), window={size=3 pad=1_2 lhs_dilate=2}
//     =>  even = convolution(x, slice(w, [1:2:2])), window={size=1}
//         odd  = convolution(x, slice(w, [0:3:2])), window={size=2 pad=0_1}
//         even[0], odd[0], even[1], odd[1], ...
//
// Phases of few features that meet the same input, as where a kernel is as
// large as its holes are apart, are features of one convolution. Convolutions
// of a few floating-point features keep their holes: backends multiply each
// input element by the whole kernel, and add the products where they belong.
#ifndef XLA_HLO_TRANSFORMS_LINEAR_BASE_DILATION_H_
#define XLA_HLO_TRANSFORMS_LINEAR_BASE_DILATION_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {

// A convolution with dim_labels=b01f_01io->b01f, for any number of spatial
// dimensions.
struct CanonicalConvolution {
  HloInstruction* input = nullptr;
  HloInstruction* kernel = nullptr;
  ConvolutionAttrs attrs;
  std::vector<int64_t> output;  // sizes of the output
};

// Whether SplitBaseDilation makes a convolution of `type` with `attrs` faster,
// whose kernel has `kernel_inputs` input features (those of a group) and
// `outputs` output features (of all groups). Windows are not reversed.
bool SplitsBaseDilation(const ConvolutionAttrs& attrs, PrimitiveType type,
                        int64_t kernel_inputs, int64_t outputs);

// Returns the result of `convolution` for which SplitsBaseDilation is true.
// `convolve` computes the convolutions without holes.
HloInstruction* SplitBaseDilation(
    HloBuilder& emit, const CanonicalConvolution& convolution,
    PrimitiveType type,
    absl::FunctionRef<HloInstruction*(CanonicalConvolution)> convolve);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_LINEAR_BASE_DILATION_H_
