// The dimension numbers of convolutions.
#ifndef TESTS_FUZZ_CONVOLUTION_NUMBERS_H_
#define TESTS_FUZZ_CONVOLUTION_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "xla/proto/xla_data.pb.h"

namespace xla::fuzz {

// Each list has the place of the batch or, of the kernel, of the output
// features; that of the features or, of the kernel, of the input features; and
// those of the spatial dimensions.
inline ConvolutionDimensionNumbers ConvolutionNumbers(
    const std::vector<int64_t>& input, const std::vector<int64_t>& kernel,
    const std::vector<int64_t>& output) {
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(input[0]);
  numbers.set_input_feature_dimension(input[1]);
  numbers.set_kernel_output_feature_dimension(kernel[0]);
  numbers.set_kernel_input_feature_dimension(kernel[1]);
  numbers.set_output_batch_dimension(output[0]);
  numbers.set_output_feature_dimension(output[1]);
  for (size_t d = 2; d < input.size(); ++d) {
    numbers.add_input_spatial_dimensions(input[d]);
    numbers.add_kernel_spatial_dimensions(kernel[d]);
    numbers.add_output_spatial_dimensions(output[d]);
  }
  return numbers;
}

}  // namespace xla::fuzz

#endif  // TESTS_FUZZ_CONVOLUTION_NUMBERS_H_
