// Uses every name of xla/hlo/builder/lib/constants.h.
#include "xla/hlo/builder/lib/constants.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Ints;
using names_testing::ShapeOf;
using names_testing::ValueOf;

TEST(LibConstantsNamesTest, Values) {
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return ConstantR0WithType(b, F64, 3); }),
      "3");
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return ConstantR0WithType(b, BF16, 2.5f); }),
      "2.5");
  EXPECT_NE(ShapeOf([](XlaBuilder* b) {
              return ConstantR0WithType(b, S32, 2.5);
            }).find("constant_r0_c2"),
            std::string::npos);
  EXPECT_EQ(
      ValueOf([](XlaBuilder* b) { return ScalarLike(Floats(b, {1, 2}), 7); }),
      "7");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return FullLike(Ints(b, {1, 2}), 7); }),
            "{7, 7}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return Zero(b, S8); }), "0");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return One(b, F16); }), "1");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Zeros(b, ShapeUtil::MakeShape(F32, {2}));
            }),
            "{0, 0}");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return ZerosLike(Ints(b, {1, 2})); }),
            "{0, 0}");
}

TEST(LibConstantsNamesTest, Limits) {
  using Limit = XlaOp (*)(XlaBuilder*, PrimitiveType);
  auto of = [](Limit limit) {
    XlaBuilder b("limit");
    limit(&b, F32);
    return ClientLibrary::LocalClientOrDie()
        ->ExecuteAndTransfer(b.Build().value(), {})
        .value()
        .Get<float>({});
  };
  using Floating = std::numeric_limits<float>;
  EXPECT_EQ(of(Epsilon), Floating::epsilon());
  EXPECT_EQ(of(MinPositiveNormalValue), Floating::min());
  EXPECT_EQ(of(MinValue), -Floating::infinity());
  EXPECT_EQ(of(MaxValue), Floating::infinity());
  EXPECT_EQ(of(MinFiniteValue), Floating::lowest());
  EXPECT_EQ(of(MaxFiniteValue), Floating::max());
  EXPECT_NE(of(NanValue), of(NanValue));
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return MinValue(b, S8); }), "-128");
  EXPECT_EQ(ValueOf([](XlaBuilder* b) { return MaxValue(b, U8); }), "255");
}

}  // namespace
}  // namespace xla
