// Pooling by ReduceWindow, and the sizes of gradients of convolutions.
#include "xla/hlo/builder/lib/pooling.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"
#include "xla/hlo/builder/lib/conv_grad_size_util.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {
namespace {

using PaddingPairs = std::vector<std::pair<int64_t, int64_t>>;

// The parameters that all pooling functions need, checked against each other.
struct PoolWindow {
  absl::Span<const int64_t> sizes;
  absl::Span<const int64_t> strides;
  PaddingPairs padding;  // for all dimensions
};

absl::StatusOr<PoolWindow> MakeWindow(
    const Shape& shape, absl::Span<const int64_t> kernel_size,
    absl::Span<const int64_t> stride,
    absl::Span<const std::pair<int64_t, int64_t>> spatial_padding,
    const TensorFormat& format) {
  const int64_t rank = shape.rank();
  PoolWindow window = {kernel_size, stride, PaddingPairs(rank)};
  bool fits =
      shape.IsArray() && static_cast<int64_t>(kernel_size.size()) == rank &&
      static_cast<int64_t>(stride.size()) == rank &&
      static_cast<int64_t>(spatial_padding.size()) == format.num_spatial_dims();
  // The limit of sizes, strides and padding: sums of a few do not overflow.
  constexpr int64_t kLimit = std::numeric_limits<int64_t>::max() / 16;
  for (int64_t i = 0; fits && i < rank; ++i) {
    fits = kernel_size[i] > 0 && kernel_size[i] < kLimit && stride[i] > 0 &&
           stride[i] < kLimit;
  }
  for (int i = 0; fits && i < format.num_spatial_dims(); ++i) {
    const int dimension = format.spatial_dimension(i);
    fits = dimension >= 0 && dimension < rank &&
           std::abs(spatial_padding[i].first) < kLimit &&
           std::abs(spatial_padding[i].second) < kLimit;
    if (fits) window.padding[dimension] = spatial_padding[i];
  }
  if (fits) return window;
  // pooling_c1: positive sizes and strides, one per dimension; padding for each
  // spatial dimension, all of them dimensions of the operand.
  return RuleError(
      "pooling_c1",
      absl::StrCat("kernel sizes (", kernel_size.size(), "), strides (",
                   stride.size(), ") or padding do not fit ",
                   ShapeUtil::HumanString(shape)));
}

XlaOp SumPool(XlaOp operand, PrimitiveType type, const PoolWindow& window) {
  XlaBuilder* builder = operand.builder();
  return ReduceWindowWithGeneralPadding(
      operand, Zero(builder, type), CreateScalarAddComputation(type, builder),
      window.sizes, window.strides, /*base_dilations=*/{},
      /*window_dilations=*/{}, window.padding);
}

// Divides `sums`, one per window of an array of `sizes`, by the number of
// elements in each window.
absl::StatusOr<XlaOp> DivideByCounts(XlaOp sums,
                                     absl::Span<const int64_t> sizes,
                                     PrimitiveType type,
                                     const PoolWindow& window,
                                     bool counts_include_padding) {
  const bool no_padding =
      std::all_of(window.padding.begin(), window.padding.end(),
                  [](auto p) { return p.first == 0 && p.second == 0; });
  if (counts_include_padding || no_padding) {
    TF_ASSIGN_OR_RETURN(const int64_t count,
                        ProductOrError(window.sizes, "kernel size"));
    return Div(sums, ConstantR0WithType(sums.builder(), type, count));
  }
  XlaOp ones = Broadcast(One(sums.builder(), type), sizes);
  return Div(sums, SumPool(ones, type, window));
}

}  // namespace

XlaOp MaxPool(XlaOp operand, absl::Span<const int64_t> kernel_size,
              absl::Span<const int64_t> stride, Padding padding,
              const TensorFormat& data_format) {
  static_cast<void>(data_format);
  XlaBuilder* builder = operand.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(operand));
    const PrimitiveType type = shape.element_type();
    return ReduceWindow(operand, MinValue(builder, type),
                        CreateScalarMaxComputation(type, builder), kernel_size,
                        stride, padding);
  });
}

XlaOp AvgPool(XlaOp operand, absl::Span<const int64_t> kernel_size,
              absl::Span<const int64_t> stride,
              absl::Span<const std::pair<int64_t, int64_t>> padding,
              const TensorFormat& data_format,
              const bool counts_include_padding) {
  XlaBuilder* builder = operand.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(operand));
    TF_ASSIGN_OR_RETURN(
        const PoolWindow window,
        MakeWindow(shape, kernel_size, stride, padding, data_format));
    return DivideByCounts(SumPool(operand, shape.element_type(), window),
                          shape.dimensions(), shape.element_type(), window,
                          counts_include_padding);
  });
}

std::vector<std::pair<int64_t, int64_t>> MakeSpatialPadding(
    absl::Span<const int64_t> input_size, absl::Span<const int64_t> kernel_size,
    absl::Span<const int64_t> stride, Padding padding,
    const TensorFormat& data_format) {
  CHECK_EQ(input_size.size(), kernel_size.size());
  CHECK_EQ(input_size.size(), stride.size());
  std::vector<int64_t> inputs, kernels, strides;
  for (int i = 0; i < data_format.num_spatial_dims(); ++i) {
    const size_t dimension = data_format.spatial_dimension(i);
    CHECK_LT(dimension, input_size.size());
    inputs.push_back(input_size[dimension]);
    kernels.push_back(kernel_size[dimension]);
    strides.push_back(stride[dimension]);
  }
  return MakePadding(inputs, kernels, strides, padding);
}

XlaOp AvgPoolGrad(XlaOp out_backprop, absl::Span<const int64_t> gradients_size,
                  absl::Span<const int64_t> kernel_size,
                  absl::Span<const int64_t> stride,
                  absl::Span<const std::pair<int64_t, int64_t>> spatial_padding,
                  const TensorFormat& data_format,
                  const bool counts_include_padding) {
  XlaBuilder* builder = out_backprop.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(out_backprop));
    TF_ASSIGN_OR_RETURN(
        PoolWindow window,
        MakeWindow(shape, kernel_size, stride, spatial_padding, data_format));
    if (static_cast<int64_t>(gradients_size.size()) != shape.rank()) {
      return RuleError("pooling_c1",
                       absl::StrCat(gradients_size.size(), " sizes for ",
                                    ShapeUtil::HumanString(shape)));
    }
    const PrimitiveType type = shape.element_type();
    TF_ASSIGN_OR_RETURN(
        XlaOp shares, DivideByCounts(out_backprop, gradients_size, type, window,
                                     counts_include_padding));
    // Each element gets the sum of the shares of the windows that it was in.
    // The shares, spaced like the windows, are summed over windows of the same
    // sizes, with padding that makes the result as large as the operand.
    PaddingConfig config;
    for (int64_t i = 0; i < shape.rank(); ++i) {
      auto* dimension = config.add_dimensions();
      const int64_t low = kernel_size[i] - 1 - window.padding[i].first;
      TF_ASSIGN_OR_RETURN(
          const int64_t reach,
          MultiplyOrError(std::max<int64_t>(shape.dimensions(i) - 1, 0),
                          stride[i], "stride"));
      const int64_t spread = shape.dimensions(i) == 0 ? 0 : reach + 1;
      dimension->set_edge_padding_low(low);
      dimension->set_interior_padding(stride[i] - 1);
      dimension->set_edge_padding_high(gradients_size[i] + kernel_size[i] - 1 -
                                       low - spread);
    }
    const std::vector<int64_t> ones(shape.rank(), 1);
    return SumPool(Pad(shares, Zero(builder, type), config), type,
                   {kernel_size, ones, PaddingPairs(shape.rank())});
  });
}

absl::StatusOr<SpatialDimensionOutputSizeAndPadding>
ConvGradExtractAndVerifyDimension(int64_t input_size, int64_t filter_size,
                                  int64_t output_size, int64_t dilation,
                                  int64_t stride, Padding padding) {
  // The limit of sizes: products of two fit in 64 bits.
  constexpr int64_t kLimit = int64_t{1} << 31;
  for (int64_t size :
       {input_size, filter_size, output_size, dilation, stride}) {
    if (size < 0 || size >= kLimit) {
      // conv_grad_c1: sizes are from 0 to 2^31, stride and dilation positive.
      return RuleError("conv_grad_c1", absl::StrCat("size ", size));
    }
  }
  if (filter_size < 1 || dilation < 1 || stride < 1) {
    return RuleError(
        "conv_grad_c1",
        absl::StrCat("filter size ", filter_size, ", dilation ", dilation,
                     " and stride ", stride, " must be positive"));
  }
  const int64_t filter = (filter_size - 1) * dilation + 1;
  const bool same = padding == Padding::kSame;
  const int64_t covered = same ? input_size : input_size - filter + 1;
  const int64_t expected = CeilOfRatio(std::max<int64_t>(0, covered), stride);
  if (output_size != expected) {
    // conv_grad_c2: the output has the size that input and filter give.
    return RuleError(
        "conv_grad_c2",
        absl::StrCat("output of size ", output_size, ", but input ", input_size,
                     ", filter ", filter, " and stride ", stride, " give ",
                     expected));
  }
  const int64_t spread = std::max<int64_t>(0, (output_size - 1) * stride + 1);
  const int64_t forward_padding =
      same ? std::max<int64_t>(0,
                               (output_size - 1) * stride + filter - input_size)
           : 0;
  SpatialDimensionOutputSizeAndPadding result;
  result.output_size = spread;
  result.pad_before = filter - 1 - forward_padding / 2;
  result.pad_after = input_size + filter - 1 - spread - result.pad_before;
  return result;
}

}  // namespace xla
