// Uses every name of xla/hlo/builder/lib/pooling.h.
#include "xla/hlo/builder/lib/pooling.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::ValueOf;

TEST(LibPoolingNamesTest, Pools) {
  const TensorFormat format(/*batch_dimension=*/0, /*feature_dimension=*/2,
                            /*spatial_dimensions=*/{1});
  EXPECT_EQ(format.batch_dimension(), 0);
  EXPECT_EQ(format.feature_dimension(), 2);
  EXPECT_EQ(format.num_spatial_dims(), 1);
  EXPECT_EQ(format.spatial_dimension(0), 1);
  auto image = [](XlaBuilder* b) {
    return Reshape(Floats(b, {1, 5, 2, 4}), {1, 4, 1});
  };
  auto flat = [](XlaOp x) { return Reshape(x, {4}); };
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return flat(MaxPool(image(b), {1, 2, 1}, {1, 1, 1},
                                  Padding::kSame, format));
            }),
            "{5, 5, 4, 4}");
  const auto padding = MakeSpatialPadding({1, 4, 1}, {1, 2, 1}, {1, 1, 1},
                                          Padding::kSame, format);
  ASSERT_EQ(padding.size(), 1);
  EXPECT_EQ(padding[0], (std::pair<int64_t, int64_t>(0, 1)));
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return flat(AvgPool(image(b), {1, 2, 1}, {1, 1, 1}, padding,
                                  format, /*counts_include_padding=*/true));
            }),
            "{3, 3.5, 3, 2}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return flat(AvgPool(image(b), {1, 2, 1}, {1, 1, 1}, padding,
                                  format, /*counts_include_padding=*/false));
            }),
            "{3, 3.5, 3, 4}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return flat(AvgPoolGrad(image(b), {1, 4, 1}, {1, 2, 1}, {1, 1, 1},
                                      padding, format, true));
            }),
            "{0.5, 3, 3.5, 3}");
}

}  // namespace
}  // namespace xla
