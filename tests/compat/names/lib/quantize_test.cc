// Uses every name of xla/hlo/builder/lib/quantize.h.
#include "xla/hlo/builder/lib/quantize.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::ShapeOf;
using names_testing::ValueOf;

TEST(LibQuantizeNamesTest, PacksAndExpands) {
  const QuantizedRange none;
  EXPECT_EQ(static_cast<float>(none.min), 0);
  EXPECT_EQ(static_cast<float>(none.max), 0);
  const QuantizedRange range(0, 255);
  EXPECT_TRUE(range == QuantizedRange(0, 255));
  EXPECT_TRUE(range != none);
  const std::vector<uint32_t> words = PackToUint32<uint8_t>({1, 2, 3, 4, 250});
  EXPECT_THAT(words, ::testing::ElementsAre(0x01020304u, 0xfa000000u));
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Dequantize<uint8_t>(ConstantR1<uint32_t>(b, words), range);
            }),
            "{1, 2, 3, 4, 250, 0, 0, 0}");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              return Dequantize<uint16_t>(
                  Reshape(ConstantR1<uint32_t>(b, words), {1, 2}), range,
                  "MIN_COMBINED", /*transpose_output=*/true);
            }),
            "bf16[4,1]");
}

}  // namespace
}  // namespace xla
