// Uses every name of xla/hlo/builder/lib/prng.h.
#include "xla/hlo/builder/lib/prng.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::ShapeOf;
using names_testing::ValueOf;

XlaOp Key(XlaBuilder* b, uint64_t x) { return ConstantR0<uint64_t>(b, x); }
XlaOp NewState(XlaBuilder* b, int64_t size) {
  return ConstantR1<uint64_t>(b, size, 0);
}

TEST(LibPrngNamesTest, Generators) {
  const Shape shape = ShapeUtil::MakeShape(F32, {4});
  auto threefry = [&](XlaBuilder* b) -> RngOutput {
    return ThreeFryBitGenerator(Key(b, 1), NewState(b, 1), shape);
  };
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) { return threefry(b).value; }),
            "u32[4]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) { return threefry(b).state; }),
            "u64[1]");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return threefry(b).value; }),
            ValueOf([&](XlaBuilder* b) { return threefry(b).value; }));
  auto philox = [&](XlaBuilder* b) {
    const auto [state, key] = ScramblePhiloxKey(Key(b, 1));
    return PhiloxBitGenerator(key, state, shape);
  };
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) { return philox(b).value; }), "u32[4]");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) { return philox(b).state; }), "u64[2]");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return PhiloxIncreaseCounter(
                  ConstantR1<uint64_t>(b, {~uint64_t{0}, 5}), Key(b, 2));
            }),
            "{1, 6}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return ConcatScalars(b, {Key(b, 1), Key(b, 2)});
            }),
            "{1, 2}");
}

TEST(LibPrngNamesTest, Distributions) {
  const BitGeneratorTy generator = ThreeFryBitGenerator;
  auto within = [&](XlaBuilder* b, XlaOp x, XlaOp low, XlaOp high) {
    return And(Ge(x, low), Lt(x, high));
  };
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              XlaOp low = ConstantR0<float>(b, 2),
                    high = ConstantR0<float>(b, 3);
              return within(b,
                            UniformFloatingPointDistribution(
                                Key(b, 1), NewState(b, 1), generator, low, high,
                                ShapeUtil::MakeShape(F32, {3}))
                                .value,
                            low, high);
            }),
            "{1, 1, 1}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              XlaOp low = ConstantR0<int32_t>(b, -2);
              XlaOp high = ConstantR0<int32_t>(b, 2);
              return within(b,
                            UniformIntDistribution(
                                Key(b, 1), NewState(b, 1), generator, low, high,
                                ShapeUtil::MakeShape(S32, {3}))
                                .value,
                            low, high);
            }),
            "{1, 1, 1}");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              XlaOp x = NormalFloatingPointDistribution(
                            Key(b, 1), NewState(b, 1), generator,
                            ShapeUtil::MakeShape(F32, {3}))
                            .value;
              return IsFinite(x);
            }),
            "{1, 1, 1}");
}

}  // namespace
}  // namespace xla
