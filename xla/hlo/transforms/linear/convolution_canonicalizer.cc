// Each step produces a convolution that the next step takes.
#include "xla/hlo/transforms/linear/convolution_canonicalizer.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
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

// Groups of one batch element, as in the gradient of a depthwise kernel:
//   [g, s, f] and kernel [s, f, o]  =>  [1, f, s, g] and kernel [f, s, 1, o]
// in g feature groups. The window has all of f, which is a spatial dimension
// now, and one place there. Arrays whose groups come last are read as they are.
void MakeBatchFeatures(HloBuilder& emit, CanonicalConvolution& conv) {
  const auto first_to_last = [](int64_t rank) {
    Dims order = {rank - 1};
    for (int64_t d = 1; d + 1 < rank; ++d) order.push_back(d);
    order.push_back(0);
    return order;
  };
  conv.input =
      emit.Transpose(conv.input, first_to_last(conv.input->shape().rank()));
  Dims input = DimsOf(conv.input);
  input.insert(input.begin(), 1);
  conv.input = emit.Reshape(conv.input, input);

  const int64_t features = conv.kernel->shape().rank() - 2;
  Dims order = {features};
  for (int64_t d = 0; d < features; ++d) order.push_back(d);
  order.push_back(features + 1);
  conv.kernel = emit.Transpose(conv.kernel, order);
  Dims kernel = DimsOf(conv.kernel);
  kernel.insert(kernel.end() - 1, 1);
  conv.kernel = emit.Reshape(conv.kernel, kernel);

  conv.attrs.feature_group_count = conv.attrs.batch_group_count;
  conv.attrs.batch_group_count = 1;
  Window window;
  WindowDimension& dim = *window.add_dimensions();
  dim.set_size(kernel[0]);
  dim.set_stride(1);
  dim.set_base_dilation(1);
  dim.set_window_dilation(1);
  window.MergeFrom(conv.attrs.window);
  conv.attrs.window = window;
  conv.attrs.convolution_dimension_numbers =
      CanonicalNumbers(window.dimensions_size());
  conv.output.insert(conv.output.begin() + 1, 1);
}

// [g n, s, f] in g batch groups => [n, s, g f] in g feature groups.
void UngroupBatch(HloBuilder& emit, CanonicalConvolution& conv) {
  const int64_t groups = conv.attrs.batch_group_count;
  if (groups == 1) return;
  Dims sizes = DimsOf(conv.input);
  const int64_t rank = sizes.size();
  if (sizes[0] == groups && sizes[rank - 1] > 1) {
    return MakeBatchFeatures(emit, conv);
  }
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

// Makes a dot of the pointwise `conv`, whose kernel was `kernel`, in which the
// inputs come before the outputs or behind them.
Hlo MakeDot(HloBuilder& emit, const CanonicalConvolution& conv, Hlo kernel,
            bool inputs_first, PrimitiveType type) {
  const int64_t in = conv.input->shape().dimensions().back();
  const int64_t out = conv.output.back();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < conv.output.size(); ++d) rows *= conv.output[d];
  DotAttrs attrs;
  attrs.precision_config = conv.attrs.precision_config;
  attrs.dot_dimension_numbers.add_lhs_contracting_dimensions(1);
  attrs.dot_dimension_numbers.add_rhs_contracting_dimensions(inputs_first ? 0
                                                                          : 1);
  Hlo lhs = emit.Reshape(conv.input, {rows, in});
  Hlo rhs = emit.Reshape(kernel, inputs_first ? Dims{in, out} : Dims{out, in});
  Hlo dot = emit.Dot(lhs, rhs, std::move(attrs), type);
  return emit.Reshape(dot, conv.output);
}

// The input positions of one dimension that a convolution reads, if these are
// `count` positions with the same distance.
struct ReadPositions {
  int64_t first, count, step;
};

// Returns those of spatial dimension `i` if the window has one element there,
// or one place, and reads no padding and no holes.
std::optional<ReadPositions> PositionsRead(const HloInstruction* hlo, int i) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  const WindowDimension& dim = attrs.window.dimensions(i);
  const int64_t output =
      hlo->shape().dimensions(numbers.output_spatial_dimensions(i));
  if (dim.size() < 1 || output < 1 || dim.base_dilation() != 1 ||
      (dim.size() != 1 && (output != 1 || dim.window_reversal()))) {
    return std::nullopt;
  }
  ReadPositions read = {-dim.padding_low(), dim.size(), dim.window_dilation()};
  if (dim.size() == 1) read = {-dim.padding_low(), output, dim.stride()};
  const int64_t size =
      hlo->operand(0)->shape().dimensions(numbers.input_spatial_dimensions(i));
  if (read.first < 0 || read.first + (read.count - 1) * read.step >= size) {
    return std::nullopt;
  }
  return read;
}

// Returns the elements of the input that a convolution reads for which
// PositionsRead has all dimensions.
Hlo SliceOfPositionsRead(HloBuilder& emit, Hlo hlo) {
  const ConvolutionDimensionNumbers& numbers =
      hlo->attrs<ConvolutionAttrs>().convolution_dimension_numbers;
  Hlo input = hlo->mutable_operand(0);
  Dims starts(input->shape().rank(), 0), strides(input->shape().rank(), 1);
  Dims limits = DimsOf(input);
  for (int i = 0; i < numbers.input_spatial_dimensions_size(); ++i) {
    const ReadPositions read = *PositionsRead(hlo, i);
    const int64_t d = numbers.input_spatial_dimensions(i);
    starts[d] = read.first;
    limits[d] = read.first + (read.count - 1) * read.step + 1;
    strides[d] = read.step;
  }
  return emit.Slice(input, starts, limits, strides);
}

bool HasOneGroup(const ConvolutionAttrs& attrs) {
  return attrs.feature_group_count == 1 && attrs.batch_group_count == 1;
}

// Returns whether the window has one place, at which it reads only input.
bool IsWholeWindow(const HloInstruction* hlo) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  if (!HasOneGroup(attrs)) return false;
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    const int64_t output = hlo->shape().dimensions(
        attrs.convolution_dimension_numbers.output_spatial_dimensions(i));
    if (output != 1 || !PositionsRead(hlo, i)) return false;
  }
  return true;
}

// Returns whether a dot of every few positions of the input is better than a
// convolution with steps by one element: it reads a kernel whose outputs come
// before its inputs as it is. Constants are put in order once.
bool IsPointwiseWithSteps(const HloInstruction* hlo) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  if (!HasOneGroup(attrs) || hlo->operand(1)->IsConstant() ||
      numbers.kernel_output_feature_dimension() >
          numbers.kernel_input_feature_dimension()) {
    return false;
  }
  for (int i = 0; i < attrs.window.dimensions_size(); ++i) {
    if (attrs.window.dimensions(i).size() != 1 || !PositionsRead(hlo, i)) {
      return false;
    }
  }
  return true;
}

// One operand of a convolution with one position, as that of a dot.
struct WholeOperand {
  Hlo array;
  int64_t feature, free;
  Dims spatial;
};

// If features, which are added up, come before what is not and positions last,
// as in [batch, feature, spatial] where the batch is added up, takes what is
// not to the end. That is the order of canonical convolutions, which other
// operands have or need not have to be read in place.
void MoveFreeLast(HloBuilder& emit, WholeOperand& x) {
  if (x.feature > x.free || x.spatial.empty() || x.spatial.back() < x.free) {
    return;
  }
  const Dims order = Order({x.feature}, x.spatial, {x.free});
  x.array = emit.Transpose(x.array, order);
  x.feature = 0;
  x.free = static_cast<int64_t>(order.size()) - 1;
  for (size_t i = 0; i < x.spatial.size(); ++i) x.spatial[i] = i + 1;
}

// Makes a dot of a convolution for which IsWholeWindow, such as the gradient of
// a pointwise convolution's kernel.
Hlo MakeWholeDot(HloBuilder& emit, Hlo hlo) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  WholeOperand sides[] = {
      {SliceOfPositionsRead(emit, hlo), numbers.input_feature_dimension(),
       numbers.input_batch_dimension(),
       Order({}, numbers.input_spatial_dimensions(), {})},
      {hlo->mutable_operand(1), numbers.kernel_input_feature_dimension(),
       numbers.kernel_output_feature_dimension(),
       Order({}, numbers.kernel_spatial_dimensions(), {})}};
  for (WholeOperand& side : sides) MoveFreeLast(emit, side);
  DotAttrs dot;
  dot.precision_config = attrs.precision_config;
  // The result has batches before features, or the other way round.
  if (numbers.output_feature_dimension() < numbers.output_batch_dimension()) {
    std::swap(sides[0], sides[1]);
    SwapOperands(dot.precision_config);
  }
  for (int64_t d : Order({sides[0].feature}, sides[0].spatial, {})) {
    dot.dot_dimension_numbers.add_lhs_contracting_dimensions(d);
  }
  for (int64_t d : Order({sides[1].feature}, sides[1].spatial, {})) {
    dot.dot_dimension_numbers.add_rhs_contracting_dimensions(d);
  }
  Hlo result = emit.Dot(sides[0].array, sides[1].array, std::move(dot),
                        hlo->shape().element_type());
  return emit.Reshape(result, DimsOf(hlo));
}

// The dimensions of a convolution's arrays in canonical order.
struct Orders {
  explicit Orders(const ConvolutionDimensionNumbers& numbers)
      : input(Order({numbers.input_batch_dimension()},
                    numbers.input_spatial_dimensions(),
                    {numbers.input_feature_dimension()})),
        kernel(Order({}, numbers.kernel_spatial_dimensions(),
                     {numbers.kernel_input_feature_dimension(),
                      numbers.kernel_output_feature_dimension()})),
        output(Order({numbers.output_batch_dimension()},
                     numbers.output_spatial_dimensions(),
                     {numbers.output_feature_dimension()})) {}

  bool are_canonical() const {
    return absl::c_is_sorted(input) && absl::c_is_sorted(kernel) &&
           absl::c_is_sorted(output);
  }

  Dims input, kernel, output;
};

// Whether the holes of its input are worth a convolution for each phase.
bool SplitsHoles(const HloInstruction* hlo) {
  const auto& attrs = hlo->attrs<ConvolutionAttrs>();
  const Shape& kernel = hlo->operand(1)->shape();
  const auto& numbers = attrs.convolution_dimension_numbers;
  // A sparse kernel is a tuple.
  return kernel.IsArray() &&
         SplitsBaseDilation(
             attrs, hlo->shape().element_type(),
             kernel.dimensions(numbers.kernel_input_feature_dimension()),
             kernel.dimensions(numbers.kernel_output_feature_dimension()));
}

// Makes `hlo`, which is no dot, canonical; its result is in canonical order.
Hlo MakeConvolution(HloBuilder& emit, Hlo hlo, const Orders& orders,
                    CanonicalConvolution conv) {
  const Dims output = conv.output;
  conv.kernel = emit.Transpose(hlo->mutable_operand(1), orders.kernel);
  UnreverseWindow(emit, conv);
  UngroupBatch(emit, conv);
  const PrimitiveType type = hlo->shape().element_type();
  const auto convolve = [&](const CanonicalConvolution& plain) {
    if (IsPointwise(plain.attrs)) {
      return MakeDot(emit, plain, plain.kernel, /*inputs_first=*/true, type);
    }
    Hlo result =
        emit.Add(HloOpcode::kConvolution, emit.MakeShape(type, plain.output),
                 {plain.input, plain.kernel}, plain.attrs);
    result->set_raw_backend_config_string(hlo->raw_backend_config_string());
    return result;
  };
  const Dims kernel = DimsOf(conv.kernel);
  Hlo result = SplitsBaseDilation(conv.attrs, type, kernel[kernel.size() - 2],
                                  kernel.back())
                   ? SplitBaseDilation(emit, conv, type, convolve)
                   : convolve(conv);
  return emit.Reshape(result, output);
}

absl::StatusOr<bool> CanonicalizeConvolution(Hlo hlo) {
  const ConvolutionAttrs& attrs = hlo->attrs<ConvolutionAttrs>();
  const ConvolutionDimensionNumbers& numbers =
      attrs.convolution_dimension_numbers;
  const Orders orders(numbers);
  const bool has_steps = IsPointwiseWithSteps(hlo);
  const bool is_pointwise =
      has_steps || (attrs.batch_group_count == 1 && IsPointwise(attrs));
  const bool is_canonical = orders.are_canonical() &&
                            !IsReversed(attrs.window) &&
                            attrs.batch_group_count == 1 && !is_pointwise &&
                            !IsWholeWindow(hlo) && !SplitsHoles(hlo);
  // A sparse kernel is a tuple until sparse-convolution-expander makes it
  // dense.
  if (is_canonical || !hlo->operand(1)->shape().IsArray() ||
      hlo->operand(0)->shape().is_dynamic() ||
      hlo->operand(1)->shape().is_dynamic()) {
    return false;
  }
  HloBuilder emit(hlo);
  if (IsWholeWindow(hlo)) {
    TF_RETURN_IF_ERROR(emit.ReplaceSource(MakeWholeDot(emit, hlo)));
    return true;
  }
  CanonicalConvolution conv;
  conv.attrs = attrs;
  conv.attrs.convolution_dimension_numbers =
      CanonicalNumbers(numbers.input_spatial_dimensions_size());
  conv.input = emit.Transpose(
      has_steps ? SliceOfPositionsRead(emit, hlo) : hlo->mutable_operand(0),
      orders.input);
  for (int64_t d : orders.output) {
    conv.output.push_back(hlo->shape().dimensions(d));
  }
  Hlo result;
  if (is_pointwise) {
    const bool inputs_first = numbers.kernel_input_feature_dimension() <
                              numbers.kernel_output_feature_dimension();
    result = MakeDot(emit, conv, hlo->mutable_operand(1), inputs_first,
                     hlo->shape().element_type());
  } else {
    result = MakeConvolution(emit, hlo, orders, std::move(conv));
  }
  TF_RETURN_IF_ERROR(
      emit.ReplaceSource(emit.Transpose(result, InverseOf(orders.output))));
  return true;
}

}  // namespace

absl::StatusOr<bool> ConvolutionCanonicalizer::RunImpl(HloModule* module) {
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
