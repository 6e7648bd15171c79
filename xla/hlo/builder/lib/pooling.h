// Pooling over the spatial dimensions of batches of images. The builder keeps
// errors of all functions; kernel sizes and strides have one entry for each
// dimension of the operand.
#ifndef XLA_HLO_BUILDER_LIB_POOLING_H_
#define XLA_HLO_BUILDER_LIB_POOLING_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {

// The roles of the dimensions.
class TensorFormat {
 public:
  TensorFormat(int batch_dimension, int feature_dimension,
               absl::Span<const int64_t> spatial_dimensions)
      : batch_dimension_(batch_dimension),
        feature_dimension_(feature_dimension),
        spatial_dimensions_(spatial_dimensions.begin(),
                            spatial_dimensions.end()) {}

  int batch_dimension() const { return batch_dimension_; }
  int feature_dimension() const { return feature_dimension_; }
  int spatial_dimension(int dim) const { return spatial_dimensions_[dim]; }
  int num_spatial_dims() const { return spatial_dimensions_.size(); }

 private:
  int batch_dimension_;
  int feature_dimension_;
  absl::InlinedVector<int, 4> spatial_dimensions_;
};

// Returns the greatest element of each window.
XlaOp MaxPool(XlaOp operand, absl::Span<const int64_t> kernel_size,
              absl::Span<const int64_t> stride, Padding padding,
              const TensorFormat& data_format);

// Returns the mean of each window, which counts elements of the padding if
// `counts_include_padding`. `padding` is (low, high) for each spatial
// dimension. Errors: pooling_c1 if lists do not fit the operand's rank.
XlaOp AvgPool(XlaOp operand, absl::Span<const int64_t> kernel_size,
              absl::Span<const int64_t> stride,
              absl::Span<const std::pair<int64_t, int64_t>> padding,
              const TensorFormat& data_format,
              const bool counts_include_padding);

// Returns (low, high) of each spatial dimension for a named padding.
// `input_size` has an entry for each dimension. Lists that do not fit are
// programmer errors.
std::vector<std::pair<int64_t, int64_t>> MakeSpatialPadding(
    absl::Span<const int64_t> input_size, absl::Span<const int64_t> kernel_size,
    absl::Span<const int64_t> stride, Padding padding,
    const TensorFormat& data_format);

// Returns AvgPool's gradient with respect to its operand, whose sizes are
// `gradients_size`, given the gradient with respect to its result. Errors:
// pooling_c1.
XlaOp AvgPoolGrad(XlaOp out_backprop, absl::Span<const int64_t> gradients_size,
                  absl::Span<const int64_t> kernel_size,
                  absl::Span<const int64_t> stride,
                  absl::Span<const std::pair<int64_t, int64_t>> spatial_padding,
                  const TensorFormat& data_format,
                  const bool counts_include_padding);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_POOLING_H_
