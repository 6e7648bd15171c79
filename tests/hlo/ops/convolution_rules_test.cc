// Rules of convolution that HLO text cannot break: protos and builders can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"
#include "xla/core/window_math.h"
#include "xla/hlo/ops/linear/convolution.h"

namespace xla {
namespace {

ConvolutionAttrs OneSpatialDimension() {
  ConvolutionAttrs attrs;
  attrs.window = window_util::MakeWindow({2});
  ConvolutionDimensionNumbers& dnums = attrs.convolution_dimension_numbers;
  dnums.set_input_batch_dimension(0);
  dnums.add_input_spatial_dimensions(1);
  dnums.set_input_feature_dimension(2);
  dnums.add_kernel_spatial_dimensions(0);
  dnums.set_kernel_input_feature_dimension(1);
  dnums.set_kernel_output_feature_dimension(2);
  dnums.set_output_batch_dimension(0);
  dnums.add_output_spatial_dimensions(1);
  dnums.set_output_feature_dimension(2);
  return attrs;
}

absl::StatusOr<Shape> InferWith(const ConvolutionAttrs& attrs) {
  const Shape lhs = ShapeUtil::MakeShape(F32, {1, 4, 1});
  const Shape rhs = ShapeUtil::MakeShape(F32, {2, 1, 1});
  const Shape result = ShapeUtil::MakeShape(F32, {1, 3, 1});
  const Shape* operands[] = {&lhs, &rhs};
  InferArgs args = {operands};
  args.declared = &result;
  return InferConvolution(args, attrs);
}

TEST(ConvolutionRules, AcceptsEqualNumbersOfSpatialDimensions) {
  absl::StatusOr<Shape> shape = InferWith(OneSpatialDimension());
  ASSERT_TRUE(shape.ok()) << shape.status();
  EXPECT_EQ(*shape, ShapeUtil::MakeShape(F32, {1, 3, 1}));
}

TEST(ConvolutionRules, NumbersOfSpatialDimensionsDiffer) {
  ConvolutionAttrs kernel = OneSpatialDimension();
  kernel.convolution_dimension_numbers.clear_kernel_spatial_dimensions();
  EXPECT_THAT(std::string(InferWith(kernel).status().message()),
              BreaksRule("convolution_c11"));

  ConvolutionAttrs output = OneSpatialDimension();
  output.convolution_dimension_numbers.add_output_spatial_dimensions(3);
  EXPECT_THAT(std::string(InferWith(output).status().message()),
              BreaksRule("convolution_c11"));
}

TEST(ConvolutionRules, BlocksOfASparseKernelLieAlongOneOfItsDimensions) {
  ConvolutionAttrs attrs = OneSpatialDimension();
  attrs.sparsity_config.mutable_rhs()->set_num_non_zero(1);
  attrs.sparsity_config.mutable_rhs()->set_block_size(2);
  const Shape values = ShapeUtil::MakeShape(F32, {2, 1, 1});
  const Shape kernel = ShapeUtil::MakeTupleShape(
      {values, ShapeUtil::ChangeElementType(values, U8)});
  for (int64_t dimension : {-1, 3}) {
    attrs.sparsity_config.mutable_rhs()->set_dimension(dimension);
    attrs.convolution_dimension_numbers.set_kernel_input_feature_dimension(
        dimension);
    EXPECT_THAT(std::string(DenseKernelShape(kernel, attrs).status().message()),
                BreaksRule("convolution_c14"))
        << dimension;
  }
}

}  // namespace
}  // namespace xla
