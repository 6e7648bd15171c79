// Uses every name of xla/hlo/builder/lib/conv_grad_size_util.h.
#include "xla/hlo/builder/lib/conv_grad_size_util.h"

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(LibConvGradSizeUtilNamesTest, Verifies) {
  const SpatialDimensionOutputSizeAndPadding dimension =
      ConvGradExtractAndVerifyDimension(/*input_size=*/5, /*filter_size=*/3,
                                        /*output_size=*/2, /*dilation=*/1,
                                        /*stride=*/2, Padding::kValid)
          .value();
  EXPECT_EQ(dimension.output_size, 3);
  EXPECT_EQ(dimension.pad_before, 2);
  EXPECT_EQ(dimension.pad_after, 2);
  EXPECT_FALSE(
      ConvGradExtractAndVerifyDimension(5, 3, 4, 1, 2, Padding::kValid).ok());
}

}  // namespace
}  // namespace xla
