// Uses every name of xla/hlo/builder/lib/arithmetic.h.
#include "xla/hlo/builder/lib/arithmetic.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::ValueOf;

TEST(LibArithmeticNamesTest, Computations) {
  using Create = XlaComputation (*)(PrimitiveType, XlaBuilder*);
  auto call = [](Create create, PrimitiveType type, int32_t x, int32_t y) {
    return ValueOf([&](XlaBuilder* b) {
      return Call(b, create(type, b),
                  {ConvertElementType(ConstantR0<int32_t>(b, x), type),
                   ConvertElementType(ConstantR0<int32_t>(b, y), type)});
    });
  };
  EXPECT_EQ(call(CreateScalarAddComputation, F32, 2, 5), "7");
  EXPECT_EQ(call(CreateScalarMultiplyComputation, S32, 2, 5), "10");
  EXPECT_EQ(call(CreateScalarGeComputation, S32, 2, 5), "false");
  EXPECT_EQ(call(CreateScalarMaxComputation, F64, 2, 5), "5");
  EXPECT_EQ(call(CreateScalarMinComputation, S8, 2, 5), "2");
  EXPECT_EQ(call(CreateScalarAndComputation, PRED, 1, 0), "false");
  EXPECT_EQ(call(CreateScalarOrComputation, PRED, 1, 0), "true");
  EXPECT_EQ(call(CreateScalarIdentityWithZeroComputation, F32, 2, 0), "2");
  EXPECT_EQ(call(CreateScalarIdentityWithZeroComputation, PRED, 1, 0), "true");
  const XlaOpGenerator generator = [](XlaOp x, XlaOp y) { return x - y; };
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return Call(
                  b, CreateScalarComputation("sub", S32, b, generator),
                  {ConstantR0<int32_t>(b, 2), ConstantR0<int32_t>(b, 5)});
            }),
            "-3");
}

TEST(LibArithmeticNamesTest, WholeArrays) {
  EXPECT_EQ(ValueOf([](XlaBuilder* b) {
              return Any(ConstantR2<bool>(b, {{false, true}, {false, false}}));
            }),
            "true");
  auto x = [](XlaBuilder* b) { return Floats(b, {2, 9, -1, 9}); };
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return ArgMax(x(b), S32, 0); }), "1");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) { return ArgMin(x(b), S64, 0); }), "2");
  EXPECT_EQ(ValueOf([&](XlaBuilder* b) {
              return ArgMinMax(x(b), S32, 0, /*is_min=*/true);
            }),
            "2");
}

}  // namespace
}  // namespace xla
