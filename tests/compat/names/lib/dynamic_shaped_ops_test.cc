// Uses every name of xla/hlo/builder/lib/dynamic_shaped_ops.h.
#include "xla/hlo/builder/lib/dynamic_shaped_ops.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"
#include "xla/hlo/builder/value_inference.h"

namespace xla {
namespace {

using names_testing::Floats;
using names_testing::Ints;
using names_testing::ShapeOf;
using names_testing::ValueOf;

// f32[n] -> f32[n], f32[1].
XlaComputation FirstElements(int64_t n, int64_t count) {
  XlaBuilder b("first");
  SliceInDim(Parameter(&b, 0, ShapeUtil::MakeShape(F32, {n}), "x"), 0, count, 1,
             0);
  return b.Build().value();
}

TEST(LibDynamicShapedOpsNamesTest, DynamicConditional) {
  const XlaComputation two = FirstElements(3, 2);
  const XlaComputation three = FirstElements(3, 3);
  auto by_index = [&](XlaBuilder* b) {
    const XlaComputation* branches[] = {&two, &three};
    XlaOp x = Floats(b, {1, 2, 3});
    return DynamicConditional(b, ConstantR0<int32_t>(b, 0), branches, {x, x});
  };
  EXPECT_EQ(ShapeOf(by_index), "f32[<=3]");
  EXPECT_EQ(
      ValueOf([&](XlaBuilder* b) { return GetDimensionSize(by_index(b), 0); }),
      "2");
  EXPECT_EQ(ShapeOf([&](XlaBuilder* b) {
              XlaOp x = Floats(b, {1, 2, 3});
              return DynamicConditional(b, ConstantR0<bool>(b, true), x, two, x,
                                        three);
            }),
            "f32[<=3]");
}

TEST(LibDynamicShapedOpsNamesTest, SetSizes) {
  XlaBuilder b("sizes");
  ValueInference inference(&b);
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {4}), "x");
  XlaOp constant =
      SetDimensionSizeWithRebound(&inference, x, ConstantR0<int32_t>(&b, 4), 0)
          .value();
  EXPECT_EQ(ShapeUtil::HumanString(b.GetShape(constant).value()), "f32[4]");
  XlaOp size = Parameter(&b, 1, ShapeUtil::MakeShape(S32, {}), "size");
  XlaOp bounded =
      Clamp(ConstantR0<int32_t>(&b, 0), size, ConstantR0<int32_t>(&b, 4));
  XlaOp sized = SetDimensionSizeWithRebound(&inference, x, bounded, 0).value();
  EXPECT_TRUE(b.GetShape(sized).value().is_dynamic_dimension(0));
  XlaOp all =
      SetAllDimensionSizes(&inference, x, Reshape(bounded, {1})).value();
  EXPECT_TRUE(b.GetShape(all).value().is_dynamic_dimension(0));
  EXPECT_FALSE(SetAllDimensionSizes(&inference, x, Ints(&b, {1, 2})).ok());
}

}  // namespace
}  // namespace xla
