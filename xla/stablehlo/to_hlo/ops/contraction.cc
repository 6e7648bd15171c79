// Products: dot, dot_general, ragged_dot, convolution and its dynamic form,
// einsum.
#include "xla/hlo/ops/linear/contraction.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/builder/lib/matrix.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/stablehlo/to_hlo/conversion/rules.h"
#include "xla/stablehlo/to_hlo/ops/built.h"
#include "xla/stablehlo/to_hlo/ops/precision.h"
#include "xla/stablehlo/to_hlo/ops/shapes.h"
#include "xla/stablehlo/to_hlo/ops/windows.h"

namespace xla::stablehlo {
namespace {

absl::Status SetDotNumbers(OpConversion& conversion,
                           DotDimensionNumbers& dims) {
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "lhs_batching_dimensions",
                                   dims.mutable_lhs_batch_dimensions()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "rhs_batching_dimensions",
                                   dims.mutable_rhs_batch_dimensions()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "lhs_contracting_dimensions",
                                   dims.mutable_lhs_contracting_dimensions()));
  return AddDimensions(conversion, "rhs_contracting_dimensions",
                       dims.mutable_rhs_contracting_dimensions());
}

absl::Status ConvertDotGeneral(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  DotAttrs attrs;
  TF_RETURN_IF_ERROR(SetDotNumbers(conversion, attrs.dot_dimension_numbers));
  TF_ASSIGN_OR_RETURN(attrs.precision_config, PrecisionOf(conversion));
  return EmitDeclared(conversion, HloOpcode::kDot, conversion.operands(),
                      std::move(attrs));
}

// Contracts the last dimension of lhs with the first of rhs, for vectors and
// matrices.
absl::Status ConvertDot(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(ExpectArray(conversion, 0));
  DotAttrs attrs;
  attrs.dot_dimension_numbers.add_lhs_contracting_dimensions(
      conversion.operand(0)->shape().rank() - 1);
  attrs.dot_dimension_numbers.add_rhs_contracting_dimensions(0);
  TF_ASSIGN_OR_RETURN(attrs.precision_config, PrecisionOf(conversion));
  return EmitDeclared(conversion, HloOpcode::kDot, conversion.operands(),
                      std::move(attrs));
}

absl::Status ConvertRaggedDot(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  RaggedDotAttrs attrs;
  RaggedDotDimensionNumbers& dims = attrs.ragged_dot_dimension_numbers;
  TF_RETURN_IF_ERROR(
      SetDotNumbers(conversion, *dims.mutable_dot_dimension_numbers()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "lhs_ragged_dimensions",
                                   dims.mutable_lhs_ragged_dimensions()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "rhs_group_dimensions",
                                   dims.mutable_rhs_group_dimensions()));
  TF_ASSIGN_OR_RETURN(attrs.precision_config, PrecisionOf(conversion));
  return EmitDeclared(conversion, HloOpcode::kRaggedDot, conversion.operands(),
                      std::move(attrs));
}

absl::StatusOr<ConvolutionDimensionNumbers> ConvolutionNumbers(
    OpConversion& conversion) {
  ConvolutionDimensionNumbers dims;
  TF_ASSIGN_OR_RETURN(int64_t number,
                      conversion.Integer("input_batch_dimension"));
  dims.set_input_batch_dimension(number);
  TF_ASSIGN_OR_RETURN(number, conversion.Integer("input_feature_dimension"));
  dims.set_input_feature_dimension(number);
  TF_ASSIGN_OR_RETURN(number,
                      conversion.Integer("kernel_input_feature_dimension"));
  dims.set_kernel_input_feature_dimension(number);
  TF_ASSIGN_OR_RETURN(number,
                      conversion.Integer("kernel_output_feature_dimension"));
  dims.set_kernel_output_feature_dimension(number);
  TF_ASSIGN_OR_RETURN(number, conversion.Integer("output_batch_dimension"));
  dims.set_output_batch_dimension(number);
  TF_ASSIGN_OR_RETURN(number, conversion.Integer("output_feature_dimension"));
  dims.set_output_feature_dimension(number);
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "input_spatial_dimensions",
                                   dims.mutable_input_spatial_dimensions()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "kernel_spatial_dimensions",
                                   dims.mutable_kernel_spatial_dimensions()));
  TF_RETURN_IF_ERROR(AddDimensions(conversion, "output_spatial_dimensions",
                                   dims.mutable_output_spatial_dimensions()));
  return dims;
}

// Returns the sizes of the window, which are the kernel's.
absl::StatusOr<std::vector<int64_t>> KernelSizes(
    OpConversion& conversion, const ConvolutionDimensionNumbers& dims) {
  std::vector<int64_t> sizes;
  for (int64_t dimension : dims.kernel_spatial_dimensions()) {
    TF_RETURN_IF_ERROR(CheckDimension(conversion, 1, dimension));
    sizes.push_back(conversion.operand(1)->shape().dimensions(dimension));
  }
  return sizes;
}

absl::Status EmitConvolution(OpConversion& conversion,
                             ConvolutionDimensionNumbers dims,
                             const PaddingPairs& padding) {
  ConvolutionAttrs attrs;
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> sizes,
                      KernelSizes(conversion, dims));
  TF_ASSIGN_OR_RETURN(attrs.window,
                      MakeWindow(conversion, sizes, padding,
                                 {.strides = "window_strides",
                                  .base_dilations = "lhs_dilation",
                                  .window_dilations = "rhs_dilation",
                                  .reversal = "window_reversal"}));
  attrs.convolution_dimension_numbers = std::move(dims);
  TF_ASSIGN_OR_RETURN(attrs.feature_group_count,
                      conversion.IntegerOr("feature_group_count", 1));
  TF_ASSIGN_OR_RETURN(attrs.batch_group_count,
                      conversion.IntegerOr("batch_group_count", 1));
  TF_ASSIGN_OR_RETURN(attrs.precision_config, PrecisionOf(conversion));
  return EmitDeclared(conversion, HloOpcode::kConvolution,
                      {conversion.operand(0), conversion.operand(1)},
                      std::move(attrs));
}

absl::Status ConvertConvolution(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_ASSIGN_OR_RETURN(ConvolutionDimensionNumbers dims,
                      ConvolutionNumbers(conversion));
  TF_ASSIGN_OR_RETURN(
      PaddingPairs padding,
      conversion.PairsOrZeros("padding", dims.input_spatial_dimensions_size()));
  return EmitConvolution(conversion, std::move(dims), padding);
}

// The padding is an operand, [n, 2].
absl::Status ConvertDynamicConv(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(3));
  TF_ASSIGN_OR_RETURN(ConvolutionDimensionNumbers dims,
                      ConvolutionNumbers(conversion));
  TF_ASSIGN_OR_RETURN(std::vector<int64_t> flat,
                      conversion.ConstantIntegers(2));
  if (flat.size() % 2 != 0) {
    return conversion.Error("the padding must have two columns");
  }
  PaddingPairs padding;
  for (size_t i = 0; i < flat.size(); i += 2) {
    padding.push_back({flat[i], flat[i + 1]});
  }
  return EmitConvolution(conversion, std::move(dims), padding);
}

absl::Status ConvertEinsum(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(2));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::string config, conversion.String("einsum_config"));
  return EmitBuilt(conversion, [&](absl::Span<const XlaOp> args) {
    return Einsum(args[0], args[1], config);
  });
}

absl::Status ConvertUnaryEinsum(OpConversion& conversion) {
  TF_RETURN_IF_ERROR(conversion.ExpectOperands(1));
  TF_RETURN_IF_ERROR(conversion.ExpectResults(1));
  TF_ASSIGN_OR_RETURN(std::string config, conversion.String("einsum_config"));
  return EmitBuilt(conversion, [&](absl::Span<const XlaOp> args) {
    return Einsum(args[0], config);
  });
}

constexpr Rule kContractionRules[] = {
    {"stablehlo.convolution", ConvertConvolution},
    {"stablehlo.dot", ConvertDot},
    {"stablehlo.dot_general", ConvertDotGeneral},
    {"stablehlo.dynamic_conv", ConvertDynamicConv},
    {"stablehlo.einsum", ConvertEinsum},
    {"stablehlo.unary_einsum", ConvertUnaryEinsum},
    {"chlo.ragged_dot", ConvertRaggedDot},
};

}  // namespace

absl::Span<const Rule> ContractionRules() { return kContractionRules; }

}  // namespace xla::stablehlo
