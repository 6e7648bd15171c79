// Sizes and padding of the convolution that gives the gradient of another
// convolution by its input. Written in pooling.cc.
#ifndef XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_
#define XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "xla/hlo/builder/padding.h"

namespace xla {

struct SpatialDimensionOutputSizeAndPadding {
  // Elements of the output with stride - 1 zeros between them.
  int64_t output_size;
  // Zeros around those, so that the filter gives back the input's size.
  int64_t pad_before;
  int64_t pad_after;
};

// Of one spatial dimension of the forward convolution. Errors: conv_grad_c1
// where a size, the stride or the dilation is out of range, conv_grad_c2 where
// `output_size` is not what the forward convolution gives.
absl::StatusOr<SpatialDimensionOutputSizeAndPadding>
ConvGradExtractAndVerifyDimension(int64_t input_size, int64_t filter_size,
                                  int64_t output_size, int64_t dilation,
                                  int64_t stride, Padding padding);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_CONV_GRAD_SIZE_UTIL_H_
