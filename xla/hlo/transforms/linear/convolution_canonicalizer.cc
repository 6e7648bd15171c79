// Each step produces a convolution that the next step takes.
#include "xla/hlo/transforms/linear/convolution_canonicalizer.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/linear/contraction.h"
#include "xla/hlo/ops/linear/convolution.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/linear/base_dilation.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

Dims DimsOf(const HloInstruction* hlo) {
  return {hlo->shape().dimensions().begin(), hlo->shape().dimensions().end()};
}

template <typename Spatial>
Dims Order(const Dims& first, const Spatial& spatial, const Dims& last) {
  Dims order = first;
  order.insert(order.end(), spatial.begin(), spatial.end());
  order.insert(order.end(), last.begin(), last.end());
  return order;
}

// Returns b01f_01io->b01f for `n` spatial dimensions.
ConvolutionDimensionNumbers CanonicalNumbers(int n) {
  ConvolutionDimensionNumbers numbers;
  numbers.set_input_batch_dimension(0);
  numbers.set_input_feature_dimension(n + 1);
  numbers.set_kernel_input_feature_dimension(n);
  numbers.set_kernel_output_feature_dimension(n + 1);
  numbers.set_output_batch_dimension(0);
  numbers.set_output_feature_dimension(n + 1);
  for (int i = 0; i < n; ++i) {
    numbers.add_input_spatial_dimensions(i + 1);
    numbers.add_kernel_spatial_dimensions(i);
    numbers.add_output_spatial_dimensions(i + 1);
  }
  return numbers;
}

bool IsReversed(const Window& window) {
  for (const WindowDimension& dim : window.dimensions()) {
    if (dim.window_reversal()) return true;
  }
  return false;
}

// Returns whether each output position depends only on the same input position.
bool IsPointwise(const ConvolutionAttrs& attrs) {
  if (attrs.feature_group_count != 1) return false;
  for (const WindowDimension& dim : attrs.window.dimensions()) {
    if (dim.size() != 1 || dim.stride() != 1 || dim.padding_low() != 0 ||
        dim.padding_high() != 0 || dim.base_dilation() != 1) {
      return false;
    }
  }
  return true;
}

int64_t GroupFeatures(const CanonicalConvolution& conv) {
  const auto& dimensions = conv.kernel->shape().dimensions();
  return dimensions[dimensions.size() - 2];
}

void UnreverseWindow(HloBuilder& emit, CanonicalConvolution& conv) {
  std::vector<int64_t> reversed;
  for (int i = 0; i < conv.attrs.window.dimensions_size(); ++i) {
    WindowDimension& dim = *conv.attrs.window.mutable_dimensions(i);
    if (dim.window_reversal() && dim.size() > 1) reversed.push_back(i);
    dim.set_window_reversal(false);
  }
  if (reversed.empty()) return;
  conv.kernel = emit.Add(HloOpcode::kReverse, conv.kernel->shape(),
                         {conv.kernel}, ReverseAttrs{reversed});
}

// [g n, s, f] in g batch groups => [n, s, g f] in g feature groups.
void UngroupBatch(HloBuilder& emit, CanonicalConvolution& conv) {
  const int64_t groups = conv.attrs.batch_group_count;
  if (groups == 1) return;
  Dims sizes = DimsOf(conv.input);
  const int64_t rank = sizes.size();
  sizes[0] /= groups;
  sizes.insert(sizes.begin(), groups);
  Hlo split = emit.Reshape(conv.input, sizes);
  Dims order;
  for (int64_t d = 1; d < rank; ++d) order.push_back(d);
  order.push_back(0);
  order.push_back(rank);
  sizes.erase(sizes.begin());
  sizes.back() *= groups;
  conv.input = emit.Reshape(emit.Transpose(split, order), sizes);
  conv.attrs.batch_group_count = 1;
  conv.attrs.feature_group_count = groups;
}

Hlo MakeDot(HloBuilder& emit, const CanonicalConvolution& conv,
            PrimitiveType type) {
  const int64_t in = conv.input->shape().dimensions().back();
  const int64_t out = conv.output.back();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < conv.output.size(); ++d) rows *= conv.output[d];
  DotAttrs attrs;
  attrs.precision_config = conv.attrs.precision_config;
  attrs.dot_dimension_numbers.add_lhs_contracting_dimensions(1);
  attrs.dot_dimension_numbers.add_rhs_contracting_dimensions(0);
  Hlo lhs = emit.Reshape(conv.input, {rows, in});
  Hlo rhs = emit.Reshape(conv.kernel, {in, out});
  Hlo dot = emit.Dot(lhs, rhs, std::move(attrs), type);
  return emit.Reshape(dot, conv.output);
}

absl::StatusOr<bool> CanonicalizeConvolution(Hlo hlo) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  const int n = numbers.input_spatial_dimensions_size();
  const Dims input_order = Order({numbers.input_batch_dimension()},
                                 numbers.input_spatial_dimensions(),
                                 {numbers.input_feature_dimension()});
  const Dims kernel_order = Order({}, numbers.kernel_spatial_dimensions(),
                                  {numbers.kernel_input_feature_dimension(),
                                   numbers.kernel_output_feature_dimension()});
  const Dims output_order = Order({numbers.output_batch_dimension()},
                                  numbers.output_spatial_dimensions(),
                                  {numbers.output_feature_dimension()});
  const Dims identity =
      Order({0}, CanonicalNumbers(n).input_spatial_dimensions(), {n + 1});
  const bool is_canonical =
      input_order == identity && kernel_order == identity &&
      output_order == identity && !IsReversed(attrs.window) &&
      attrs.batch_group_count == 1 && !IsPointwise(attrs) &&
      !SplitsBaseDilation(attrs, hlo->operand(1)->shape().IsArray()
                                     ? hlo->operand(1)->shape().dimensions(n)
                                     : 0);
  // A sparse kernel is a tuple until sparse-convolution-expander makes it
  // dense.
  if (is_canonical || !hlo->operand(1)->shape().IsArray() ||
      hlo->operand(0)->shape().is_dynamic() ||
      hlo->operand(1)->shape().is_dynamic()) {
    return false;
  }
  HloBuilder emit(hlo);
  CanonicalConvolution conv;
  conv.attrs = attrs;
  conv.attrs.convolution_dimension_numbers = CanonicalNumbers(n);
  conv.input = emit.Transpose(hlo->mutable_operand(0), input_order);
  conv.kernel = emit.Transpose(hlo->mutable_operand(1), kernel_order);
  for (int64_t d : output_order) {
    conv.output.push_back(hlo->shape().dimensions(d));
  }
  UnreverseWindow(emit, conv);
  UngroupBatch(emit, conv);
  const PrimitiveType type = hlo->shape().element_type();
  const auto convolve = [&](const CanonicalConvolution& plain) {
    if (IsPointwise(plain.attrs)) return MakeDot(emit, plain, type);
    Hlo result =
        emit.Add(HloOpcode::kConvolution, emit.MakeShape(type, plain.output),
                 {plain.input, plain.kernel}, plain.attrs);
    result->set_raw_backend_config_string(hlo->raw_backend_config_string());
    return result;
  };
  const Hlo result = SplitsBaseDilation(conv.attrs, GroupFeatures(conv))
                         ? SplitBaseDilation(emit, conv, type, convolve)
                         : convolve(conv);
  TF_RETURN_IF_ERROR(
      emit.ReplaceSource(emit.Transpose(result, InverseOf(output_order))));
  return true;
}

}  // namespace

absl::StatusOr<bool> ConvolutionCanonicalizer::Run(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kConvolution) continue;
      TF_ASSIGN_OR_RETURN(bool once, CanonicalizeConvolution(hlo));
      changed |= once;
    }
  }
  return changed;
}

}  // namespace xla
