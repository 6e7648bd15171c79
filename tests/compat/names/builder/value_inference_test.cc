// Uses every name of xla/hlo/builder/value_inference.h.
#include "xla/hlo/builder/value_inference.h"

#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

TEST(ValueInferenceNamesTest, OptionalLiteral) {
  OptionalLiteral part(LiteralUtil::CreateR1<int32_t>({1, 2}),
                       LiteralUtil::CreateR1<bool>({false, true}));
  EXPECT_EQ(part.Get<int32_t>({0}), 1);
  EXPECT_EQ(part.Get<int32_t>({1}, {}), std::nullopt);
  EXPECT_FALSE(part.AllValid());
  EXPECT_FALSE(part.GetValue().has_value());
  OptionalLiteral whole(LiteralUtil::CreateR0<int32_t>(5),
                        LiteralUtil::CreateR0<bool>(false));
  EXPECT_TRUE(whole.AllValid());
  EXPECT_EQ(whole.GetValue()->Get<int32_t>({}), 5);
}

TEST(ValueInferenceNamesTest, Analyses) {
  XlaBuilder b("b");
  ValueInference inference(&b);
  EXPECT_EQ(inference.builder(), &b);
  XlaOp constant =
      Add(names_testing::Ints(&b, {1, 2}), names_testing::Ints(&b, {3, 4}));
  EXPECT_EQ(inference.AnalyzeConstant(constant, ValueInferenceMode::kValue)
                .value()
                .GetValue()
                ->ToStringWithoutShapeOneline(),
            "{4, 6}");
  XlaOp bounded = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {7}, {true}), "x");
  XlaOp size = GetDimensionSize(bounded, 0);
  EXPECT_EQ(
      inference.AnalyzeConstant(size, kUpperBound).value().Get<int32_t>({}), 7);
  EXPECT_EQ(
      inference.AnalyzeConstant(size, kLowerBound).value().Get<int32_t>({}), 0);
  EXPECT_FALSE(inference.AnalyzeConstant(size, kValue).value().AllValid());
  EXPECT_TRUE(inference.AnalyzeIsDynamic(size).value().Get<bool>({}));
  EXPECT_TRUE(inference.AnalyzeIsDynamic(constant).value().IsAll(0));
}

}  // namespace
}  // namespace xla
