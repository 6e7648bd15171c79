// The part of ReferenceUtil that multiplies and convolves, by the evaluator.
#ifndef COMPAT_XLA_REFERENCE_UTIL_CONTRACTIONS_H_
#define COMPAT_XLA_REFERENCE_UTIL_CONTRACTIONS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/builder/padding.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/proto/xla_data.pb.h"
#include "xla/reference_util/ranked_array.h"
#include "xla/service/shape_inference.h"

namespace xla::reference {

// Arguments must fit (CHECK). Strides and dilations are those of the first and
// of the second spatial dimension. Padding is computed from the sizes before
// dilation.
class Contractions {
 public:
  template <typename T>
  static std::unique_ptr<Array2D<T>> MatmulArray2D(const Array2D<T>& lhs,
                                                   const Array2D<T>& rhs) {
    DotDimensionNumbers dims;
    dims.add_lhs_contracting_dimensions(1);
    dims.add_rhs_contracting_dimensions(0);
    const Literal product =
        HloEvaluator()
            .EvaluateDotOp(dims, PrecisionConfig(),
                           LiteralUtil::CreateR2FromArray2D(lhs),
                           LiteralUtil::CreateR2FromArray2D(rhs))
            .value();
    return MakeArray<T>(Sizes<2>{lhs.n1(), rhs.n2()},
                        [&](auto i) { return product.Get<T>(i); });
  }

  static std::unique_ptr<Array4D<float>> ConvArray4D(
      const Array4D<float>& lhs, const Array4D<float>& rhs,
      std::pair<int64_t, int64_t> kernel_stride, Padding padding) {
    return ConvArray4DGeneralDimensions(
        lhs, rhs, kernel_stride, padding,
        XlaBuilder::CreateDefaultConvDimensionNumbers());
  }
  static std::unique_ptr<Array4D<float>> ConvArray4DGeneralDimensions(
      const Array4D<float>& lhs, const Array4D<float>& rhs,
      std::pair<int64_t, int64_t> kernel_stride, Padding padding,
      ConvolutionDimensionNumbers dimension_numbers) {
    return ConvArray4DGeneralDimensionsDilated(lhs, rhs, kernel_stride, padding,
                                               {1, 1}, {1, 1},
                                               std::move(dimension_numbers));
  }
  static std::unique_ptr<Array4D<float>> ConvArray4DGeneralDimensionsDilated(
      const Array4D<float>& lhs, const Array4D<float>& rhs,
      std::pair<int64_t, int64_t> kernel_stride, Padding padding,
      std::pair<int64_t, int64_t> lhs_dilation,
      std::pair<int64_t, int64_t> rhs_dilation,
      ConvolutionDimensionNumbers dnums) {
    return Convolve<4>(lhs, rhs, {kernel_stride.first, kernel_stride.second},
                       padding, {lhs_dilation.first, lhs_dilation.second},
                       {rhs_dilation.first, rhs_dilation.second}, dnums);
  }

  static std::unique_ptr<Array3D<float>> ConvArray3D(const Array3D<float>& lhs,
                                                     const Array3D<float>& rhs,
                                                     int64_t kernel_stride,
                                                     Padding padding) {
    return ConvArray3DGeneralDimensionsDilated(
        lhs, rhs, kernel_stride, padding, 1, 1,
        XlaBuilder::CreateDefaultConvDimensionNumbers(1));
  }
  static std::unique_ptr<Array3D<float>> ConvArray3DGeneralDimensionsDilated(
      const Array3D<float>& lhs, const Array3D<float>& rhs,
      int64_t kernel_stride, Padding padding, int64_t lhs_dilation,
      int64_t rhs_dilation, const ConvolutionDimensionNumbers& dnums) {
    return Convolve<3>(lhs, rhs, {kernel_stride}, padding, {lhs_dilation},
                       {rhs_dilation}, dnums);
  }

  // A convolution by `depthwise_weights` [multiplier, depth, height, width],
  // then one by `pointwise_weights` [planes, depth * multiplier, 1, 1]. Stride
  // and padding are those of the first.
  static std::unique_ptr<Array4D<float>> SeparableConvArray4D(
      const Array4D<float>& input, const Array4D<float>& depthwise_weights,
      const Array4D<float>& pointwise_weights,
      std::pair<int64_t, int64_t> kernel_stride, Padding padding) {
    const int64_t multiplier = depthwise_weights.planes();
    CHECK_EQ(pointwise_weights.depth(), input.depth() * multiplier);
    const auto weights = MakeArray<float>(
        Sizes<4>{pointwise_weights.planes(), input.depth(),
                 depthwise_weights.height(), depthwise_weights.width()},
        [&](auto i) {
          float weight = 0;
          for (int64_t m = 0; m < multiplier; ++m) {
            weight += depthwise_weights(m, i[1], i[2], i[3]) *
                      pointwise_weights(i[0], m + i[1] * multiplier, 0, 0);
          }
          return weight;
        });
    return ConvArray4D(input, *weights, kernel_stride, padding);
  }

 private:
  using Dims = std::vector<int64_t>;

  template <size_t kRank>
  static std::unique_ptr<RankedArray<float, kRank>> Convolve(
      const RankedArray<float, kRank>& lhs,
      const RankedArray<float, kRank>& rhs, const Dims& strides,
      Padding padding, const Dims& lhs_dilation, const Dims& rhs_dilation,
      const ConvolutionDimensionNumbers& dnums) {
    const size_t spatial = kRank - 2;
    CHECK_EQ(dnums.input_spatial_dimensions_size(), static_cast<int>(spatial));
    CHECK_EQ(dnums.kernel_spatial_dimensions_size(), static_cast<int>(spatial));
    Dims input_sizes, kernel_sizes;
    for (size_t i = 0; i < spatial; ++i) {
      input_sizes.push_back(lhs.dim(dnums.input_spatial_dimensions(i)));
      kernel_sizes.push_back(rhs.dim(dnums.kernel_spatial_dimensions(i)));
    }
    const auto pads = MakePadding(input_sizes, kernel_sizes, strides, padding);
    Window window;
    for (size_t i = 0; i < spatial; ++i) {
      WindowDimension& dim = *window.add_dimensions();
      dim.set_size(kernel_sizes[i]);
      dim.set_stride(strides[i]);
      dim.set_padding_low(pads[i].first);
      dim.set_padding_high(pads[i].second);
      dim.set_base_dilation(lhs_dilation[i]);
      dim.set_window_dilation(rhs_dilation[i]);
    }
    Literal left = LiteralUtil::CreateFromArray<float>(lhs);
    Literal right = LiteralUtil::CreateFromArray<float>(rhs);
    const Shape shape =
        ShapeInference::InferConvolveShape(left.shape(), right.shape(), 1, 1,
                                           window, dnums, std::nullopt)
            .value();
    HloComputation::Builder builder("convolve");
    HloInstruction* const left_constant =
        builder.AddInstruction(HloInstruction::CreateConstant(std::move(left)));
    HloInstruction* const right_constant = builder.AddInstruction(
        HloInstruction::CreateConstant(std::move(right)));
    PrecisionConfig precision;
    precision.mutable_operand_precision()->Resize(2, PrecisionConfig::DEFAULT);
    builder.AddInstruction(HloInstruction::CreateConvolve(
        shape, left_constant, right_constant, 1, 1, window, dnums, precision));
    HloModule module("reference", HloModuleConfig());
    const HloComputation* computation =
        module.AddEntryComputation(builder.Build());
    const Literal result =
        HloEvaluator()
            .Evaluate(*computation, absl::Span<const Literal* const>())
            .value();
    Sizes<kRank> sizes;
    for (size_t i = 0; i < kRank; ++i) sizes[i] = shape.dimensions(i);
    return MakeArray<float>(sizes,
                            [&](auto i) { return result.Get<float>(i); });
  }
};

}  // namespace xla::reference

#endif  // COMPAT_XLA_REFERENCE_UTIL_CONTRACTIONS_H_
