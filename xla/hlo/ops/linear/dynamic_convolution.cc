// Attributes, shapes and sizes of convolutions of dynamic sizes.
#include "xla/hlo/ops/linear/dynamic_convolution.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ops/op_def.h"
#include "xla/hlo/ops/rule_text.h"

namespace xla {
namespace {

using ConvKind = DynamicConvolutionKind;

// known_call_c4: there are two operands; of the gradient of an input three, of
// which the first gives the sizes of the result.
absl::Status CheckCallOperands(const DynamicConvolution& call,
                               const std::string& target,
                               absl::Span<const Shape* const> operands) {
  bool fit = static_cast<int64_t>(operands.size()) == call.rhs_operand() + 1;
  for (const Shape* shape : operands) fit = fit && shape->IsArray();
  if (fit && call.kind == ConvKind::kInputGrad) {
    const Shape& sizes = *operands[0];
    fit = sizes.element_type() == S32 && sizes.rank() == 1 &&
          sizes.is_static() && sizes.dimensions(0) == operands[1]->rank();
  }
  if (fit) return absl::OkStatus();
  return RuleError(
      "known_call_c4",
      absl::StrCat(target, " takes ",
                   call.kind == ConvKind::kInputGrad
                       ? "the sizes of its result, s32[rank], and "
                       : "",
                   "two arrays, not these ", operands.size(), " operands"));
}

// known_call_c6: windows are of one size, over elements side by side.
absl::Status CheckDynamicDimensions(const DynamicConvolution& call,
                                    const std::string& target, const Shape& lhs,
                                    const Shape& rhs) {
  if (call.kind == ConvKind::kKernelGrad) return absl::OkStatus();
  const auto& numbers = call.attrs.convolution_dimension_numbers;
  for (int64_t d : numbers.kernel_spatial_dimensions()) {
    if (!rhs.is_dynamic_dimension(d)) continue;
    return RuleError("known_call_c6",
                     absl::StrCat(target,
                                  " takes a kernel of static spatial "
                                  "dimensions, not ",
                                  Text(rhs)));
  }
  for (int i = 0; i < numbers.input_spatial_dimensions_size(); ++i) {
    if (call.kind == ConvKind::kForward &&
        lhs.is_dynamic_dimension(numbers.input_spatial_dimensions(i)) &&
        call.attrs.window.dimensions(i).base_dilation() != 1) {
      return RuleError("known_call_c6",
                       absl::StrCat(target,
                                    " dilates no dynamic dimension, "
                                    "but spatial dimension ",
                                    i, " of ", Text(lhs)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<DynamicConvolutionKind> DynamicConvolutionKindOf(
    absl::string_view custom_call_target) {
  if (custom_call_target == "DynamicConvolutionForward")
    return ConvKind::kForward;
  if (custom_call_target == "DynamicConvolutionInputGrad") {
    return ConvKind::kInputGrad;
  }
  if (custom_call_target == "DynamicConvolutionKernelGrad") {
    return ConvKind::kKernelGrad;
  }
  return std::nullopt;
}

DynamicConvolution DynamicConvolutionOf(const CustomCallAttrs& attrs) {
  DynamicConvolution call;
  call.kind = DynamicConvolutionKindOf(attrs.custom_call_target).value();
  call.same_padding = attrs.padding_type == PADDING_SAME;
  call.attrs.window = attrs.window;
  call.attrs.convolution_dimension_numbers = attrs.dim_labels;
  call.attrs.feature_group_count = attrs.feature_group_count;
  call.attrs.batch_group_count = attrs.batch_group_count;
  call.attrs.precision_config = attrs.precision_config;
  // One precision for each operand of the call, or of the convolution.
  auto* precisions = call.attrs.precision_config.mutable_operand_precision();
  if (call.kind == ConvKind::kInputGrad && precisions->size() == 3) {
    precisions->erase(precisions->begin());
  }
  return call;
}

absl::StatusOr<Shape> InferDynamicConvolution(
    const CustomCallAttrs& attrs, absl::Span<const Shape* const> operands,
    PrimitiveType type) {
  const DynamicConvolution call = DynamicConvolutionOf(attrs);
  const std::string& target = attrs.custom_call_target;
  TF_RETURN_IF_ERROR(CheckCallOperands(call, target, operands));
  // known_call_c5: how to pad dynamic sizes is said.
  if (attrs.padding_type != PADDING_SAME &&
      attrs.padding_type != PADDING_VALID) {
    return RuleError("known_call_c5",
                     absl::StrCat(target,
                                  " needs padding_type=PADDING_SAME or "
                                  "PADDING_VALID, not ",
                                  PaddingType_Name(attrs.padding_type)));
  }
  const Shape& lhs = *operands[call.lhs_operand()];
  const Shape& rhs = *operands[call.rhs_operand()];
  const Shape declared = ShapeUtil::MakeShape(type, {});
  InferArgs args;
  args.operands = operands.subspan(call.lhs_operand());
  args.declared = &declared;
  TF_ASSIGN_OR_RETURN(Shape shape, InferConvolution(args, call.attrs));
  TF_RETURN_IF_ERROR(CheckDynamicDimensions(call, target, lhs, rhs));
  TF_RETURN_IF_ERROR(CheckDynamicGroups(lhs, rhs, call.attrs));
  if (call.kind == ConvKind::kKernelGrad) {
    shape = ShapeUtil::MakeStaticShape(shape);
  }
  return shape;
}

absl::Status CheckDynamicConvolution(const CustomCallAttrs& attrs,
                                     absl::Span<const Shape* const> operands,
                                     const Shape& result) {
  const PrimitiveType type = result.IsArray() ? result.element_type() : F32;
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      InferDynamicConvolution(attrs, operands, type));
  // known_call_c7: the result is that of the convolution of the bounds.
  if (ShapeUtil::SameDimensions(shape, result) &&
      (result.is_static() ||
       DynamicConvolutionKindOf(attrs.custom_call_target) !=
           ConvKind::kKernelGrad)) {
    return absl::OkStatus();
  }
  return RuleError("known_call_c7",
                   absl::StrCat(attrs.custom_call_target, " gives ",
                                Text(shape), ", not ", Text(result)));
}

absl::Status CheckDynamicGroups(const Shape& lhs, const Shape& rhs,
                                const ConvolutionAttrs& attrs) {
  const auto& numbers = attrs.convolution_dimension_numbers;
  bool is_dynamic = false;
  if (attrs.batch_group_count != 1) {
    is_dynamic |= lhs.is_dynamic_dimension(numbers.input_batch_dimension());
  }
  if (attrs.feature_group_count != 1) {
    is_dynamic |=
        lhs.is_dynamic_dimension(numbers.input_feature_dimension()) ||
        rhs.is_dynamic_dimension(numbers.kernel_input_feature_dimension());
  }
  if (attrs.batch_group_count != 1 || attrs.feature_group_count != 1) {
    is_dynamic |=
        rhs.is_dynamic_dimension(numbers.kernel_output_feature_dimension());
  }
  if (!is_dynamic) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("convolution: groups of a dynamic dimension, in ", Text(lhs),
                   " or ", Text(rhs), ", are not implemented"));
}

ForwardWindow ForwardWindowOf(const DynamicConvolution& convolution, int i,
                              int64_t result) {
  const WindowDimension& dim = convolution.attrs.window.dimensions(i);
  switch (convolution.kind) {
    case ConvKind::kForward:
      return {window_util::DilatedBound(dim.size(), dim.window_dilation()),
              dim.stride()};
    case ConvKind::kInputGrad:
      return {window_util::DilatedBound(dim.size(), dim.window_dilation()),
              dim.base_dilation()};
    case ConvKind::kKernelGrad:
      break;
  }
  return {window_util::DilatedBound(result, dim.stride()),
          dim.window_dilation()};
}

int64_t OutputSizeOf(const ForwardWindow& window, bool same_padding,
                     int64_t size) {
  const int64_t covered = same_padding ? 1 : window.extent;
  return std::max<int64_t>(0, size + window.stride - covered) / window.stride;
}

int64_t SamePaddingBefore(const ForwardWindow& window, int64_t size) {
  const int64_t count = OutputSizeOf(window, true, size);
  const int64_t needed = (count - 1) * window.stride + window.extent - size;
  return std::max<int64_t>(0, needed) / 2;
}

}  // namespace xla
