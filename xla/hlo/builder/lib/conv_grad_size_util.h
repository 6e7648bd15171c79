// Sizes and padding of the convolution that computes another convolution's
// gradient with respect to its input. Defined in pooling.cc.
#ifndef XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_
#define XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/hlo/builder/padding.h"

namespace xla {

struct SpatialDimensionOutputSizeAndPadding {
  // The size of the output with stride - 1 zeros between its elements.
  int64_t output_size;
  // The zeros around them for which the filter restores the input's size.
  int64_t pad_before;
  int64_t pad_after;
};

// Applies to one spatial dimension of the forward convolution. Errors:
// conv_grad_c1 if a size, the stride or the dilation is out of range,
// conv_grad_c2 if `output_size` is not what the forward convolution gives.
absl::StatusOr<SpatialDimensionOutputSizeAndPadding>
ConvGradExtractAndVerifyDimension(int64_t input_size, int64_t filter_size,
                                  int64_t output_size, int64_t dilation,
                                  int64_t stride, Padding padding);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_
