// Uses every name of xla/hlo/builder/lib/approx_topk_shape.h.
#include "xla/hlo/builder/lib/approx_topk_shape.h"

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(LibApproxTopkShapeNamesTest, Sizes) {
  using Sizes = std::pair<int64_t, int64_t>;
  EXPECT_EQ(ApproxTopKReductionOutputSize(4096, 2, 7, 0.9f, true).value(),
            Sizes(7, -1));
  EXPECT_EQ(ApproxTopKReductionOutputSize(100, 2, 7, 0.9f, false).value(),
            Sizes(100, 0));
  EXPECT_EQ(ApproxTopKReductionOutputSize(4096, 2, 1, 0.9f, false).value(),
            Sizes(128, 5));
  EXPECT_EQ(
      ApproxTopKReductionOutputSize(4096, 2, 1, 0.9f, false, 8192).value(),
      Sizes(128, 6));
  EXPECT_FALSE(ApproxTopKReductionOutputSize(4096, 2, 7, 2.0f, false).ok());
}

}  // namespace
}  // namespace xla
