// The forms of convolution. All functions: errors are kept in the builder;
// lists have one entry per spatial dimension, or none for 1s and zeros. Source:
// sections "Conv" and "ConvWithGeneralPadding".
#ifndef XLA_HLO_BUILDER_OPS_CONVOLUTION_H_
#define XLA_HLO_BUILDER_OPS_CONVOLUTION_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/xla_op.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Dimensions are numbered as by XlaBuilder::CreateDefaultConvDimensionNumbers.
XlaOp Conv(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
           Padding padding, int64_t feature_group_count = 1,
           int64_t batch_group_count = 1,
           const PrecisionConfig* precision_config = nullptr,
           std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvWithGeneralPadding(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    int64_t feature_group_count = 1, int64_t batch_group_count = 1,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);

// Dimensions are numbered as given.
XlaOp ConvWithGeneralDimensions(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    Padding padding, const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count = 1, int64_t batch_group_count = 1,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvGeneral(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count = 1, int64_t batch_group_count = 1,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
XlaOp ConvGeneralDilated(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count = 1, int64_t batch_group_count = 1,
    const PrecisionConfig* precision_config = nullptr,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt,
    std::optional<std::vector<bool>> window_reversal = std::nullopt);

// Convolutions whose left operand has spatial dimensions of dynamic sizes: the
// custom calls of hlo/ops/linear/dynamic_convolution.h. `padding` is for the
// bounds; with PADDING_SAME, padding for the sizes at run time replaces it.
// Errors: known_call_c4 to known_call_c6; Unimplemented if a dynamic dimension
// is grouped.
XlaOp DynamicConvForward(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
// `input_sizes`, integers, has the sizes of the result's dimensions, of which
// those of dynamic ones are read.
XlaOp DynamicConvInputGrad(
    XlaOp input_sizes, XlaOp lhs, XlaOp rhs,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);
// The result is static.
XlaOp DynamicConvKernelGrad(
    XlaOp activations, XlaOp gradients,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type,
    std::optional<PrimitiveType> preferred_element_type = std::nullopt);

}  // namespace xla

#endif  // XLA_HLO_BUILDER_OPS_CONVOLUTION_H_
