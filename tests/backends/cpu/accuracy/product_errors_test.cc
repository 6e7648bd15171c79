// The errors of products stay within the bounds of docs/product-accuracy.md, at
// each vector level.
#include "tests/backends/cpu/accuracy/product_errors.h"

#include "gtest/gtest.h"
#include "xla/core/primitive_util.h"

namespace xla::cpu {
namespace {

TEST(ProductErrorsTest, AreWithinBounds) {
  constexpr int64_t kShapes = 24;
  for (const VectorLevel level :
       {VectorLevel::kBaseline, VectorLevel::kAvx2, VectorLevel::kAvx512,
        VectorLevel::kAvx512Bf16, VectorLevel::kAmx}) {
    if (level > ProcessorVectorLevel()) continue;
    const VectorLevelScope scope(level);
    for (const ProductCase& product : ProductCases()) {
      if (!HasKernelsOfLevel(product, level)) continue;
      const ProductErrors errors = MeasureProduct(product, kShapes, 7);
      EXPECT_EQ(errors.shapes, kShapes);
      EXPECT_LE(errors.share, 1) << ProductWayName(product.way) << " of "
                                 << PrimitiveType_Name(product.lhs) << " to "
                                 << PrimitiveType_Name(product.out);
      // An error of nothing at all would be one of the reference.
      EXPECT_TRUE(errors.root_mean_square > 0 || product.lhs != F32);
    }
  }
}

}  // namespace
}  // namespace xla::cpu
