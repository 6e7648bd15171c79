// The forms of convolution, made by ConvGeneralDilated or, for dynamic sizes,
// as a custom call; dimension numbers.
#include "xla/hlo/builder/ops/convolution.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/emit.h"
#include "xla/hlo/builder/ops/elementwise.h"
#include "xla/hlo/builder/result_type.h"
#include "xla/hlo/builder/scoped_assignments.h"
#include "xla/hlo/builder/window_lists.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/linear/dynamic_convolution.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

using builder_internal::BuilderOf;
using builder_internal::Emit;

namespace {

using DimensionList = google::protobuf::RepeatedField<int64_t>;

// Returns the sizes of `dimensions` of an operand.
absl::StatusOr<std::vector<int64_t>> SizesAt(const Shape& shape,
                                             const DimensionList& dimensions) {
  std::vector<int64_t> sizes;
  for (int64_t d : dimensions) {
    // conv_spatial_c1: spatial dimensions are those of an array.
    if (!shape.IsArray() || d < 0 || d >= shape.rank()) {
      return RuleError("conv_spatial_c1",
                       absl::StrCat("spatial dimension ", d, " is not in ",
                                    ShapeUtil::HumanString(shape)));
    }
    sizes.push_back(shape.dimensions(d));
  }
  return sizes;
}

// Checks one of the three lists of dimensions: not negative, none twice.
absl::Status CheckDimensions(absl::string_view what, int64_t first,
                             int64_t second, const DimensionList& spatial) {
  absl::flat_hash_set<int64_t> seen;
  std::vector<int64_t> all(spatial.begin(), spatial.end());
  all.push_back(first);
  all.push_back(second);
  for (int64_t d : all) {
    // convolution_dimension_numbers_c2: no dimension is negative.
    if (d < 0) {
      return RuleError("convolution_dimension_numbers_c2",
                       absl::StrCat(what, " dimension ", d, " is negative"));
    }
    // convolution_dimension_numbers_c3: no dimension stands twice.
    if (!seen.insert(d).second) {
      return RuleError("convolution_dimension_numbers_c3",
                       absl::StrCat(what, " dimension ", d, " stands twice"));
    }
  }
  return absl::OkStatus();
}

// The arguments that the three convolutions of dynamic sizes share.
struct DynamicConvLists {
  absl::Span<const int64_t> strides;
  absl::Span<const std::pair<int64_t, int64_t>> padding;
  absl::Span<const int64_t> lhs_dilation;
  absl::Span<const int64_t> rhs_dilation;
};

// Adds the custom call of `attrs`, which lacks the window, on `operands`, of
// which it convolves the last two.
XlaOp DynamicConvolutionCall(absl::Span<const XlaOp> operands,
                             const DynamicConvLists& lists,
                             CustomCallAttrs attrs,
                             std::optional<PrimitiveType> preferred_type) {
  return Emit(BuilderOf(operands), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
    std::vector<const Shape*> shapes;
    for (XlaOp operand : operands) {
      TF_ASSIGN_OR_RETURN(shapes.emplace_back(), b.GetShapePtr(operand));
    }
    const Shape& lhs = *shapes[shapes.size() - 2];
    const Shape& rhs = *shapes.back();
    TF_RETURN_IF_ERROR(XlaBuilder::Validate(attrs.dim_labels));
    TF_ASSIGN_OR_RETURN(
        std::vector<int64_t> window_sizes,
        SizesAt(rhs, attrs.dim_labels.kernel_spatial_dimensions()));
    TF_ASSIGN_OR_RETURN(attrs.window,
                        builder_internal::MakeWindow(
                            {window_sizes, lists.strides, lists.padding,
                             lists.lhs_dilation, lists.rhs_dilation}));
    TF_ASSIGN_OR_RETURN(
        const PrimitiveType type,
        builder_internal::ProductType(lhs, rhs, preferred_type));
    TF_ASSIGN_OR_RETURN(const Shape shape,
                        InferDynamicConvolution(attrs, shapes, type));
    return b.AddOp(HloOpcode::kCustomCall, operands, std::move(attrs), {},
                   &shape);
  });
}

CustomCallAttrs DynamicConvolutionAttrs(
    std::string target, const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = std::move(target);
  attrs.dim_labels = dimension_numbers;
  attrs.feature_group_count = feature_group_count;
  attrs.batch_group_count = batch_group_count;
  if (precision_config != nullptr) attrs.precision_config = *precision_config;
  attrs.padding_type = padding_type;
  return attrs;
}

}  // namespace

ConvolutionDimensionNumbers XlaBuilder::CreateDefaultConvDimensionNumbers(
    int num_spatial_dims) {
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(kConvBatchDimension);
  numbers.set_input_feature_dimension(kConvFeatureDimension);
  numbers.set_output_batch_dimension(kConvBatchDimension);
  numbers.set_output_feature_dimension(kConvFeatureDimension);
  numbers.set_kernel_output_feature_dimension(kConvKernelOutputDimension);
  numbers.set_kernel_input_feature_dimension(kConvKernelInputDimension);
  for (int i = 0; i < num_spatial_dims; ++i) {
    numbers.add_input_spatial_dimensions(kConvFirstSpatialDimension + i);
    numbers.add_kernel_spatial_dimensions(kConvKernelFirstSpatialDimension + i);
    numbers.add_output_spatial_dimensions(kConvFirstSpatialDimension + i);
  }
  return numbers;
}

absl::Status XlaBuilder::Validate(const ConvolutionDimensionNumbers& dnum) {
  // convolution_dimension_numbers_c1: there are as many spatial dimensions in
  // input, kernel and output.
  if (dnum.input_spatial_dimensions_size() !=
          dnum.kernel_spatial_dimensions_size() ||
      dnum.input_spatial_dimensions_size() !=
          dnum.output_spatial_dimensions_size()) {
    return RuleError(
        "convolution_dimension_numbers_c1",
        absl::StrCat("spatial dimensions must be as many, got ",
                     dnum.input_spatial_dimensions_size(), ", ",
                     dnum.kernel_spatial_dimensions_size(), " and ",
                     dnum.output_spatial_dimensions_size()));
  }
  TF_RETURN_IF_ERROR(CheckDimensions("input", dnum.input_batch_dimension(),
                                     dnum.input_feature_dimension(),
                                     dnum.input_spatial_dimensions()));
  TF_RETURN_IF_ERROR(CheckDimensions("kernel",
                                     dnum.kernel_input_feature_dimension(),
                                     dnum.kernel_output_feature_dimension(),
                                     dnum.kernel_spatial_dimensions()));
  return CheckDimensions("output", dnum.output_batch_dimension(),
                         dnum.output_feature_dimension(),
                         dnum.output_spatial_dimensions());
}

XlaOp Conv(XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
           Padding padding, int64_t feature_group_count,
           int64_t batch_group_count, const PrecisionConfig* precision_config,
           std::optional<PrimitiveType> preferred_element_type) {
  return ConvWithGeneralDimensions(
      lhs, rhs, window_strides, padding,
      XlaBuilder::CreateDefaultConvDimensionNumbers(
          static_cast<int>(window_strides.size())),
      feature_group_count, batch_group_count, precision_config,
      preferred_element_type);
}

XlaOp ConvWithGeneralPadding(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config,
    std::optional<PrimitiveType> preferred_element_type) {
  return ConvGeneral(lhs, rhs, window_strides, padding,
                     XlaBuilder::CreateDefaultConvDimensionNumbers(
                         static_cast<int>(window_strides.size())),
                     feature_group_count, batch_group_count, precision_config,
                     preferred_element_type);
}

XlaOp ConvWithGeneralDimensions(
    XlaOp lhs, XlaOp rhs, absl::Span<const int64_t> window_strides,
    Padding padding, const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config,
    std::optional<PrimitiveType> preferred_element_type) {
  return Emit(
      BuilderOf({lhs, rhs}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* input, b.GetShapePtr(lhs));
        TF_ASSIGN_OR_RETURN(const Shape* kernel, b.GetShapePtr(rhs));
        TF_ASSIGN_OR_RETURN(
            std::vector<int64_t> input_sizes,
            SizesAt(*input, dimension_numbers.input_spatial_dimensions()));
        TF_ASSIGN_OR_RETURN(
            std::vector<int64_t> window_sizes,
            SizesAt(*kernel, dimension_numbers.kernel_spatial_dimensions()));
        TF_ASSIGN_OR_RETURN(const auto amounts, builder_internal::PaddingOf(
                                                    input_sizes, window_sizes,
                                                    window_strides, padding));
        return ConvGeneral(lhs, rhs, window_strides, amounts, dimension_numbers,
                           feature_group_count, batch_group_count,
                           precision_config, preferred_element_type);
      });
}

XlaOp ConvGeneral(XlaOp lhs, XlaOp rhs,
                  absl::Span<const int64_t> window_strides,
                  absl::Span<const std::pair<int64_t, int64_t>> padding,
                  const ConvolutionDimensionNumbers& dimension_numbers,
                  int64_t feature_group_count, int64_t batch_group_count,
                  const PrecisionConfig* precision_config,
                  std::optional<PrimitiveType> preferred_element_type) {
  return ConvGeneralDilated(lhs, rhs, window_strides, padding, {}, {},
                            dimension_numbers, feature_group_count,
                            batch_group_count, precision_config,
                            preferred_element_type);
}

XlaOp ConvGeneralDilated(XlaOp lhs, XlaOp rhs,
                         absl::Span<const int64_t> window_strides,
                         absl::Span<const std::pair<int64_t, int64_t>> padding,
                         absl::Span<const int64_t> lhs_dilation,
                         absl::Span<const int64_t> rhs_dilation,
                         const ConvolutionDimensionNumbers& dimension_numbers,
                         int64_t feature_group_count, int64_t batch_group_count,
                         const PrecisionConfig* precision_config,
                         std::optional<PrimitiveType> preferred_element_type,
                         std::optional<std::vector<bool>> window_reversal) {
  return Emit(
      BuilderOf({lhs, rhs}), [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* input, b.GetShapePtr(lhs));
        TF_ASSIGN_OR_RETURN(const Shape* kernel, b.GetShapePtr(rhs));
        TF_RETURN_IF_ERROR(XlaBuilder::Validate(dimension_numbers));
        TF_ASSIGN_OR_RETURN(
            std::vector<int64_t> window_sizes,
            SizesAt(*kernel, dimension_numbers.kernel_spatial_dimensions()));
        ConvolutionAttrs attrs;
        TF_ASSIGN_OR_RETURN(
            attrs.window,
            builder_internal::MakeWindow(
                {window_sizes, window_strides, padding, lhs_dilation,
                 rhs_dilation, window_reversal.value_or(std::vector<bool>())}));
        attrs.convolution_dimension_numbers = dimension_numbers;
        attrs.feature_group_count = feature_group_count;
        attrs.batch_group_count = batch_group_count;
        if (precision_config != nullptr) {
          attrs.precision_config = *precision_config;
        }
        TF_ASSIGN_OR_RETURN(PrimitiveType type,
                            builder_internal::ProductType(
                                *input, *kernel, preferred_element_type));
        const Shape declared = ShapeUtil::MakeShape(type, {});
        return b.AddOp(HloOpcode::kConvolution, {lhs, rhs}, std::move(attrs),
                       {}, &declared);
      });
}

XlaOp DynamicConvForward(XlaOp lhs, XlaOp rhs,
                         absl::Span<const int64_t> window_strides,
                         absl::Span<const std::pair<int64_t, int64_t>> padding,
                         absl::Span<const int64_t> lhs_dilation,
                         absl::Span<const int64_t> rhs_dilation,
                         const ConvolutionDimensionNumbers& dimension_numbers,
                         int64_t feature_group_count, int64_t batch_group_count,
                         const PrecisionConfig* precision_config,
                         PaddingType padding_type,
                         std::optional<PrimitiveType> preferred_element_type) {
  return DynamicConvolutionCall(
      {lhs, rhs}, {window_strides, padding, lhs_dilation, rhs_dilation},
      DynamicConvolutionAttrs("DynamicConvolutionForward", dimension_numbers,
                              feature_group_count, batch_group_count,
                              precision_config, padding_type),
      preferred_element_type);
}

XlaOp DynamicConvInputGrad(
    XlaOp input_sizes, XlaOp lhs, XlaOp rhs,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type,
    std::optional<PrimitiveType> preferred_element_type) {
  // The call takes sizes of type s32, clients any integers.
  const XlaOp sizes = Emit(
      BuilderOf({input_sizes, lhs, rhs}),
      [&](XlaBuilder& b) -> absl::StatusOr<XlaOp> {
        TF_ASSIGN_OR_RETURN(const Shape* shape, b.GetShapePtr(input_sizes));
        if (!shape->IsArray() || shape->element_type() == S32 ||
            !ShapeUtil::ElementIsIntegral(*shape)) {
          return input_sizes;
        }
        XlaScopedShardingAssignment none(&b, std::nullopt);
        return ConvertElementType(input_sizes, S32);
      });
  return DynamicConvolutionCall(
      {sizes, lhs, rhs}, {window_strides, padding, lhs_dilation, rhs_dilation},
      DynamicConvolutionAttrs("DynamicConvolutionInputGrad", dimension_numbers,
                              feature_group_count, batch_group_count,
                              precision_config, padding_type),
      preferred_element_type);
}

XlaOp DynamicConvKernelGrad(
    XlaOp activations, XlaOp gradients,
    absl::Span<const int64_t> window_strides,
    absl::Span<const std::pair<int64_t, int64_t>> padding,
    absl::Span<const int64_t> lhs_dilation,
    absl::Span<const int64_t> rhs_dilation,
    const ConvolutionDimensionNumbers& dimension_numbers,
    int64_t feature_group_count, int64_t batch_group_count,
    const PrecisionConfig* precision_config, PaddingType padding_type,
    std::optional<PrimitiveType> preferred_element_type) {
  return DynamicConvolutionCall(
      {activations, gradients},
      {window_strides, padding, lhs_dilation, rhs_dilation},
      DynamicConvolutionAttrs("DynamicConvolutionKernelGrad", dimension_numbers,
                              feature_group_count, batch_group_count,
                              precision_config, padding_type),
      preferred_element_type);
}

}  // namespace xla
