// Tests what is known of values while a program is built.
#include "xla/hlo/builder/inference/value_inference.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/lib/constants.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

// A builder with x: s32[3], which is unknown, and y: f32[<=6,4].
class ValueInferenceTest : public ::testing::Test {
 protected:
  // Returns "lowest..highest" for each element, "value" for a constant, or "?".
  std::string Known(XlaOp op) {
    const auto dynamic = inference_.AnalyzeIsDynamic(op);
    const auto value = inference_.AnalyzeConstant(op, kValue);
    const auto low = inference_.AnalyzeConstant(op, kLowerBound);
    const auto high = inference_.AnalyzeConstant(op, kUpperBound);
    if (!dynamic.ok()) return std::string(dynamic.status().message());
    std::vector<std::string> texts;
    ShapeUtil::ForEachIndexNoStatus(
        ShapeUtil::MakeStaticShape(*b_.GetShape(op)),
        [&](absl::Span<const int64_t> index) {
          const auto at = [&](const OptionalLiteral& literal) {
            if (dynamic->shape().rank() == 0) index = {};
            return literal.Get<int32_t>(index);
          };
          if (!dynamic->Get<bool>(index)) {
            EXPECT_EQ(at(*value), at(*low));
            EXPECT_EQ(at(*value), at(*high));
            texts.push_back(absl::StrCat(*at(*value)));
          } else if (!at(*high).has_value()) {
            EXPECT_FALSE(at(*value).has_value());
            EXPECT_FALSE(at(*low).has_value());
            texts.push_back("?");
          } else {
            EXPECT_FALSE(at(*value).has_value());
            texts.push_back(absl::StrCat(*at(*low), "..", *at(*high)));
          }
          return true;
        });
    return absl::StrJoin(texts, " ");
  }
  XlaOp Number(int32_t n) { return ConstantR0<int32_t>(&b_, n); }
  XlaOp List(std::vector<int32_t> numbers) {
    return ConstantR1<int32_t>(&b_, numbers);
  }
  // Makes s32[1] of a scalar.
  XlaOp One(XlaOp x) { return Reshape(x, {1}); }

  XlaBuilder b_{"b"};
  ValueInference inference_{&b_};
  XlaOp x_ = Parameter(&b_, 0, ShapeUtil::MakeShape(S32, {3}), "x");
  XlaOp y_ =
      Parameter(&b_, 1, ShapeUtil::MakeShape(F32, {6, 4}, {true, false}), "y");
  XlaOp size_ = GetDimensionSize(y_, 0);
};

TEST_F(ValueInferenceTest, ConstantsParametersAndSizes) {
  EXPECT_EQ(Known(x_), "? ? ?");
  EXPECT_EQ(Known(size_), "0..6");
  EXPECT_EQ(Known(GetDimensionSize(y_, 1)), "4");
  EXPECT_EQ(Known(Iota(&b_, S32, 3)), "0 1 2");
  EXPECT_EQ(Known(Add(Mul(List({1, 2}), Number(3)), Number(-1))), "2 5");
  // Values of other types are known only if they are constants.
  EXPECT_EQ(Known(ConvertElementType(
                Ceil(Div(ConstantR0<float>(&b_, 7), ConstantR0<float>(&b_, 2))),
                S32)),
            "4");
  EXPECT_EQ(Known(ConvertElementType(ConvertElementType(size_, F32), S32)),
            "?");
  EXPECT_EQ(Known(Clamp(Number(1), List({0, 2, 9}), Number(5))), "1 2 5");
  // Scalars beside arrays count for every element.
  EXPECT_EQ(Known(Clamp(Number(1), ConcatInDim(&b_, {One(size_), List({9})}, 0),
                        Number(5))),
            "? 5");
}

TEST_F(ValueInferenceTest, Arithmetic) {
  EXPECT_EQ(Known(Sub(Number(10), size_)), "4..10");
  EXPECT_EQ(Known(Mul(size_, Number(-2))), "-12..0");
  EXPECT_EQ(Known(Max(Sub(size_, Number(2)), Number(0))), "0..4");
  EXPECT_EQ(Known(Div(Add(size_, Number(3)), Number(2))), "1..4");
  EXPECT_EQ(Known(Rem(size_, Number(4))), "0..3");
  EXPECT_EQ(Known(ConvertElementType(Lt(size_, Number(3)), S32)), "0..1");
  // The product may wrap around.
  EXPECT_EQ(Known(Mul(size_, Number(1 << 30))), "?");
  // A sum with an unknown operand has no bounds, whatever the other operand's
  // are.
  EXPECT_EQ(Known(Add(x_, size_)), "? ? ?");
  EXPECT_EQ(Known(Min(x_, List({1, 2, 3}))), "? ? ?");
}

TEST_F(ValueInferenceTest, ElementsMove) {
  XlaOp mixed =
      ConcatInDim(&b_, {One(size_), List({7, 8}), Slice(x_, {0}, {1}, {1})}, 0);
  EXPECT_EQ(Known(mixed), "0..6 7 8 ?");
  EXPECT_EQ(Known(Rev(mixed, {0})), "? 8 7 0..6");
  EXPECT_EQ(Known(Slice(mixed, {0}, {3}, {2})), "0..6 8");
  EXPECT_EQ(Known(Transpose(Reshape(mixed, {2, 2}), {1, 0})), "0..6 8 7 ?");
  EXPECT_EQ(Known(PadInDim(mixed, Number(5), 0, 1, -1)), "5 0..6 7 8");
  EXPECT_EQ(Known(Broadcast(size_, {2})), "0..6 0..6");
  EXPECT_EQ(Known(DynamicSlice(mixed, {Number(2)}, {2})), "8 ?");
  EXPECT_EQ(Known(DynamicSlice(mixed, {size_}, {2})), "? ?");
  EXPECT_EQ(Known(DynamicUpdateSlice(mixed, One(size_), {Number(2)})),
            "0..6 7 0..6 ?");
  EXPECT_EQ(Known(DynamicUpdateSlice(mixed, List({1}), {size_})), "? ? ? ?");
  GatherDimensionNumbers numbers;
  numbers.add_collapsed_slice_dims(0);
  numbers.add_start_index_map(0);
  numbers.set_index_vector_dim(1);
  EXPECT_EQ(Known(Gather(mixed, List({1, 0}), numbers, {1})), "7 0..6");
  EXPECT_EQ(Known(Gather(mixed, One(size_), numbers, {1})), "?");
  // A gather of empty slices gives zeros.
  EXPECT_EQ(Known(Gather(mixed, List({1, 0}), numbers, {0})), "0 0");
  // Element-wise ops are known element by element.
  EXPECT_EQ(Known(Add(mixed, List({1, 1, 1, 1}))), "1..7 8 9 ?");
}

TEST_F(ValueInferenceTest, Choices) {
  XlaOp is_small = Lt(size_, Number(3));
  EXPECT_EQ(Known(Select(ConstantR1<bool>(&b_, {true, false}),
                         Broadcast(size_, {2}), List({1, 2}))),
            "0..6 2");
  EXPECT_EQ(Known(Select(is_small, Number(1), Number(2))), "?");
  EXPECT_EQ(Known(Sort({ConcatInDim(&b_, {One(size_), List({-3})}, 0)},
                       ScalarLess(S32))),
            "-3..6 -3..6");
  const XlaComputation add = ScalarAdd(S32);
  EXPECT_EQ(Known(Reduce(ConcatInDim(&b_, {One(size_), List({5, 6})}, 0),
                         Number(1), add, {0})),
            "12..18");
  EXPECT_EQ(Known(Reduce(x_, Number(1), add, {0})), "?");
  XlaOp matrix = ConcatInDim(
      &b_, {Broadcast(size_, {1, 2}), ConstantR2<int32_t>(&b_, {{1, 2}})}, 0);
  EXPECT_EQ(Known(Reduce(matrix, Number(0), add, {0})), "1..7 2..8");
  EXPECT_EQ(Known(Reduce(matrix, Number(0), add, {1})), "0..12 3");
}

TEST_F(ValueInferenceTest, CalledComputations) {
  const Shape scalar = ShapeUtil::MakeShape(S32, {});
  const auto plus = [&](int32_t n) {
    auto inner = b_.CreateSubBuilder("plus");
    Add(Parameter(inner.get(), 0, scalar, "p"),
        ConstantR0<int32_t>(inner.get(), n));
    return inner->BuildAndNoteError();
  };
  const XlaComputation one = plus(1), two = plus(2);
  EXPECT_EQ(Known(Call(&b_, one, {size_})), "1..7");
  XlaOp three = Number(3), four = Number(4);
  XlaOp is_small = Lt(size_, three);
  EXPECT_EQ(Known(Conditional(is_small, three, two, four, one)), "5");
  EXPECT_EQ(Known(Conditional(is_small, three, one, three, two)), "?");
  EXPECT_EQ(Known(Conditional(is_small, size_, one, size_, one)), "?");
  EXPECT_EQ(Known(Conditional(Lt(three, four), size_, one, three, two)),
            "1..7");
  EXPECT_EQ(Known(GetTupleElement(Tuple(&b_, {x_, size_}), 1)), "0..6");
}

TEST_F(ValueInferenceTest, AddsNothingToTheProgram) {
  Known(Add(size_, Sub(Number(1), size_)));
  const auto built = b_.Build();
  ASSERT_TRUE(built.ok());
  EXPECT_EQ(built->proto().computations(0).instructions_size(), 6);
}

TEST_F(ValueInferenceTest, Errors) {
  EXPECT_THAT(Known(XlaOp()), HasSubstr("(builder_c1)"));
  const Shape opaque = ShapeUtil::MakeOpaqueShape();
  XlaOp handle = CustomCall(&b_, "Open", {}, opaque);
  for (XlaOp op : {handle, Tuple(&b_, {size_, handle})}) {
    EXPECT_THAT(Known(op), HasSubstr("has no values"));
    EXPECT_FALSE(inference_.AnalyzeConstant(op, kValue).ok());
  }
}

TEST_F(ValueInferenceTest, DeepAndRepeatedComputationsEnd) {
  XlaOp sum = size_;
  for (int i = 0; i < 30000; ++i) sum = Add(sum, Number(0));
  EXPECT_EQ(Known(sum), "0..6");
  // This makes 2^40 calls.
  const Shape scalar = ShapeUtil::MakeShape(S32, {});
  XlaComputation twice = ScalarAdd(S32);
  for (int i = 0; i < 40; ++i) {
    auto outer = b_.CreateSubBuilder("twice");
    XlaOp p = Parameter(outer.get(), 0, scalar, "p");
    XlaOp q = Parameter(outer.get(), 1, scalar, "q");
    Call(outer.get(), twice, {Call(outer.get(), twice, {p, q}), q});
    twice = outer->BuildAndNoteError();
  }
  EXPECT_EQ(Known(Call(&b_, twice, {size_, size_})), "?");
}

}  // namespace
}  // namespace xla
