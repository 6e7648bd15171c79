// Conditionals with branches of different sizes, and inferred bounds of sizes.
#include "xla/hlo/builder/inference/dynamic_shaped_ops.h"

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/lib/arguments.h"
#include "tests/hlo/builder/lib/evaluate.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/inference/value_inference.h"
#include "xla/hlo/builder/lib/arithmetic.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla {
namespace {

using Ops = absl::Span<const XlaOp>;

// Returns f32[size] of ones, whatever the operand is.
XlaComputation Ones(XlaBuilder* builder, PrimitiveType type, int64_t size) {
  auto inner = builder->CreateSubBuilder("ones");
  Parameter(inner.get(), 0, ShapeUtil::MakeShape(F32, {}), "x");
  Broadcast(One(inner.get(), type), {size});
  return inner->BuildAndNoteError();
}

TEST(DynamicConditionalTest, HasTheSizeOfItsBranch) {
  for (int32_t index : {0, 1, 2}) {
    const Arguments x = Of(LiteralUtil::CreateR0<int32_t>(index));
    EXPECT_EQ(RunToText(
                  [](XlaBuilder* b, Ops p) {
                    const XlaComputation branches[] = {
                        Ones(b, F32, 2), Ones(b, F32, 5), Ones(b, F32, 3)};
                    XlaOp none = ConstantR0<float>(b, 0);
                    return GetDimensionSize(
                        DynamicConditional(
                            b, p[0], {&branches[0], &branches[1], &branches[2]},
                            {none, none, none}),
                        0);
                  },
                  x),
              std::to_string(index == 0   ? 2
                             : index == 1 ? 5
                                          : 3));
  }
}

TEST(DynamicConditionalTest, Errors) {
  auto conditional = [](XlaBuilder* b, PrimitiveType type) {
    XlaOp none = ConstantR0<float>(b, 0);
    return DynamicConditional(b, ConstantR0<bool>(b, true), none,
                              Ones(b, F32, 2), none, Ones(b, type, 3));
  };
  ExpectBreaks("dynamic_conditional_c1",
               [&](XlaBuilder* b, Ops) { return conditional(b, S32); });
  ExpectBreaks("dynamic_conditional_c2", [](XlaBuilder* b, Ops) {
    return DynamicConditional(b, ConstantR0<int32_t>(b, 0), {}, {});
  });
}

std::string ShapeText(XlaBuilder& b, XlaOp op) {
  const auto shape = b.GetShape(op);
  return shape.ok() ? ShapeUtil::HumanString(*shape)
                    : std::string(shape.status().message());
}

// Returns the shape of f32[<=8] after setting its size to `size(f32[<=6])`.
template <typename Size>
std::string Rebounded(const Size& size) {
  XlaBuilder b("b");
  ValueInference inference(&b);
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {8}), "x");
  XlaOp y = Parameter(&b, 1, ShapeUtil::MakeShape(F32, {6}, {true}), "y");
  const auto result =
      SetDimensionSizeWithRebound(&inference, x, size(y), /*dimension=*/0);
  return result.ok() ? ShapeText(b, *result)
                     : std::string(result.status().message());
}

TEST(SetDimensionSizeWithReboundTest, TakesTheBoundThatFollows) {
  EXPECT_EQ(Rebounded([](XlaOp y) { return GetDimensionSize(y, 0); }),
            "f32[<=6]");
  EXPECT_EQ(Rebounded([](XlaOp y) {
              return Div(GetDimensionSize(y, 0),
                         ScalarLike(GetDimensionSize(y, 0), 2));
            }),
            "f32[<=3]");
  // A looser bound changes nothing.
  EXPECT_EQ(Rebounded([](XlaOp y) {
              return Add(GetDimensionSize(y, 0),
                         ConstantR0<int32_t>(y.builder(), 5));
            }),
            "f32[<=8]");
  // Nothing is known of a parameter.
  EXPECT_EQ(Rebounded([](XlaOp y) {
              return Parameter(y.builder(), 2, ShapeUtil::MakeShape(S32, {}),
                               "n");
            }),
            "f32[<=8]");
  // A constant size does not make the dimension dynamic.
  EXPECT_EQ(
      Rebounded([](XlaOp y) { return ConstantR0<int32_t>(y.builder(), 5); }),
      "f32[5]");
  EXPECT_EQ(
      Rebounded([](XlaOp y) { return ConstantR0<int32_t>(y.builder(), -1); }),
      "f32[0]");
  EXPECT_EQ(
      Rebounded([](XlaOp y) { return ConstantR0<int32_t>(y.builder(), 9); }),
      "f32[8]");
}

TEST(SetDimensionSizeWithReboundTest, HasTheElementsWithinTheSize) {
  const Arguments x = Of(LiteralUtil::CreateR1<float>({1, 2, 3, 4, 5, 6}),
                         LiteralUtil::CreateR0<int32_t>(3));
  EXPECT_EQ(
      RunToText(
          [](XlaBuilder* b, Ops p) {
            ValueInference inference(b);
            XlaOp y = SetDimensionSize(p[0], p[1], 0);
            XlaOp n = Sub(GetDimensionSize(y, 0), ConstantR0<int32_t>(b, 1));
            XlaOp z =
                SetDimensionSizeWithRebound(&inference, p[0], n, 0).value();
            return ReduceAll(z, ConstantR0<float>(b, 0),
                             CreateScalarAddComputation(F32, b));
          },
          x),
      "3");
}

TEST(SetDimensionSizeWithReboundTest, Errors) {
  XlaBuilder b("b");
  ValueInference inference(&b);
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {8}), "x");
  XlaOp n = ConstantR0<int32_t>(&b, 2);
  const auto message = [&](XlaOp size, int64_t dimension) {
    return std::string(
        SetDimensionSizeWithRebound(&inference, x, size, dimension)
            .status()
            .message());
  };
  EXPECT_THAT(message(n, 1), BreaksRule("rebound_c1"));
  EXPECT_THAT(message(x, 0), BreaksRule("rebound_c2"));
  EXPECT_THAT(
      std::string(SetAllDimensionSizes(&inference, x, n).status().message()),
      BreaksRule("rebound_c3"));
  EXPECT_THAT(message(XlaOp(), 0), BreaksRule("builder_c1"));
}

TEST(SetAllDimensionSizesTest, SetsThoseThatAreNoConstants) {
  XlaBuilder b("b");
  ValueInference inference(&b);
  XlaOp x = Parameter(&b, 0, ShapeUtil::MakeShape(F32, {8, 4, 2}), "x");
  XlaOp n = Parameter(&b, 1, ShapeUtil::MakeShape(S64, {1}), "n");
  XlaOp sizes = ConcatInDim(&b, {n, ConstantR1<int64_t>(&b, {4}), n}, 0);
  const auto result = SetAllDimensionSizes(&inference, x, sizes);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(ShapeText(b, *result), "f32[<=8,4,<=2]");
}

}  // namespace
}  // namespace xla
