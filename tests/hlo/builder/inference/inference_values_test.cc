// Tests what is inferred of tuples, of the promises of SetBound, of floats and
// of reductions of several arrays.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/inference/value_inference.h"

namespace xla {
namespace {

class InferenceValuesTest : public ::testing::Test {
 protected:
  std::string Text(const absl::StatusOr<Literal>& literal) {
    return literal.ok() ? literal->ToStringWithoutShapeOneline()
                        : std::string(literal.status().message());
  }
  // Returns 1 for an element that is dynamic, else 0.
  std::string Dynamic(XlaOp op) {
    return Text(inference_.AnalyzeIsDynamic(op));
  }
  OptionalLiteral Value(XlaOp op, ValueInferenceMode mode = kValue) {
    auto value = inference_.AnalyzeConstant(op, mode);
    EXPECT_TRUE(value.ok()) << value.status();
    return *std::move(value);
  }
  XlaOp SetBound(XlaOp x, const Literal& bound) {
    const Shape shape = b_.GetShape(x).value();
    return CustomCall(&b_, "SetBound", {x}, shape, "", false, {}, &bound);
  }

  XlaBuilder b_{"b"};
  ValueInference inference_{&b_};
  const Shape s32_ = ShapeUtil::MakeShape(S32, {});
  XlaOp p_ = Parameter(&b_, 0, s32_, "p");
  XlaOp q_ = Parameter(&b_, 1, ShapeUtil::MakeShape(F32, {2}), "q");
  XlaOp c_ = ConstantR0<int32_t>(&b_, 42);
};

TEST_F(InferenceValuesTest, Tuples) {
  XlaOp tuple = Tuple(&b_, {c_, p_, Tuple(&b_, {q_, c_}), Tuple(&b_, {})});
  EXPECT_EQ(Dynamic(tuple), "( false, true, ( {1, 1}, false ), (  ) )");
  const OptionalLiteral value = Value(tuple);
  EXPECT_EQ(value.Get<int32_t>({}, {0}), 42);
  EXPECT_EQ(value.Get<int32_t>({}, {1}), std::nullopt);
  EXPECT_EQ(value.Get<float>({1}, {2, 0}), std::nullopt);
  EXPECT_EQ(value.Get<int32_t>({}, {2, 1}), 42);
  EXPECT_FALSE(value.AllValid());
  const OptionalLiteral pair = Value(Tuple(&b_, {c_, Neg(c_)}));
  EXPECT_TRUE(pair.AllValid());
  EXPECT_EQ(pair.GetValue()->Get<int32_t>({}, {1}), -42);
  XlaOp sized =
      Parameter(&b_, 2, ShapeUtil::MakeShape(S32, {2, 3}, {1, 0}), "sized");
  const OptionalLiteral high = Value(
      Tuple(&b_, {GetDimensionSize(sized, 0), GetDimensionSize(sized, 1)}),
      kUpperBound);
  EXPECT_EQ(high.Get<int32_t>({}, {0}), 2);
  EXPECT_EQ(high.Get<int32_t>({}, {1}), 3);
}

TEST_F(InferenceValuesTest, ConstantTuplesAndSorts) {
  const Literal first = LiteralUtil::CreateR1<int32_t>({3, 1});
  const Literal second = LiteralUtil::CreateR1<float>({4, 5});
  XlaOp tuple = ConstantLiteral(&b_, LiteralUtil::MakeTuple({&first, &second}));
  EXPECT_EQ(Dynamic(tuple), "( {0, 0}, {0, 0} )");
  EXPECT_EQ(Value(tuple).Get<float>({1}, {1}), 5);
  XlaBuilder less("less");
  XlaOp a = Parameter(&less, 0, s32_, "a"), b = Parameter(&less, 1, s32_, "b");
  const Shape f32 = ShapeUtil::MakeShape(F32, {});
  Parameter(&less, 2, f32, "c");
  Parameter(&less, 3, f32, "d");
  Lt(a, b);
  XlaOp sorted = Sort({GetTupleElement(tuple, 0), GetTupleElement(tuple, 1)},
                      less.Build().value());
  EXPECT_EQ(Dynamic(sorted), "( {0, 0}, {0, 0} )");
  EXPECT_EQ(Value(sorted).Get<int32_t>({0}, {0}), 1);
  EXPECT_EQ(Value(sorted).Get<float>({0}, {1}), 5);
}

TEST_F(InferenceValuesTest, TokensAndCustomCalls) {
  XlaOp p = Parameter(
      &b_, 2, ShapeUtil::MakeTupleShape({ShapeUtil::MakeTokenShape(), s32_}),
      "with_token");
  EXPECT_EQ(Dynamic(p), "( true, true )");
  EXPECT_FALSE(Value(p).AllValid());
  EXPECT_EQ(Dynamic(CreateToken(&b_)), "true");
  const Shape f32 = ShapeUtil::MakeShape(F32, {1});
  XlaOp call =
      CustomCall(&b_, "Qr", {q_}, ShapeUtil::MakeTupleShape({f32, s32_}));
  EXPECT_EQ(Dynamic(call), "( {1}, true )");
  EXPECT_EQ(Dynamic(GetTupleElement(call, 0)), "{1}");
  for (auto mode : {kValue, kUpperBound, kLowerBound}) {
    EXPECT_FALSE(Value(call, mode).GetValue().has_value());
    EXPECT_FALSE(Value(GetTupleElement(call, 1), mode).AllValid());
  }
  EXPECT_EQ(Value(CustomCall(&b_, "Sharding", {c_}, s32_)).Get<int32_t>({}),
            42);
}

TEST_F(InferenceValuesTest, SetBoundPromisesValuesAndBounds) {
  const auto pair = [](Literal bound, Literal dynamic) {
    return LiteralUtil::MakeTupleOwned(std::move(bound), std::move(dynamic));
  };
  const Literal is_32 = pair(LiteralUtil::CreateR0<int32_t>(32),
                             LiteralUtil::CreateR0<bool>(false));
  EXPECT_EQ(Value(SetBound(c_, is_32)).Get<int32_t>({}), 32);
  EXPECT_EQ(Value(SetBound(p_, is_32)).Get<int32_t>({}), 32);
  const Literal below_9 = LiteralUtil::CreateR0<int32_t>(9);
  XlaOp bounded = SetBound(p_, below_9);
  EXPECT_EQ(Dynamic(bounded), "true");
  EXPECT_EQ(Value(bounded, kUpperBound).Get<int32_t>({}), 9);
  EXPECT_EQ(Value(bounded, kLowerBound).Get<int32_t>({}), INT32_MIN);
  EXPECT_EQ(Value(Max(bounded, ConstantR0<int32_t>(&b_, 0)), kLowerBound)
                .Get<int32_t>({}),
            0);
  // The operand's lower bound still holds.
  XlaOp sized =
      Parameter(&b_, 2, ShapeUtil::MakeShape(S32, {20}, {1}), "sized");
  XlaOp size = SetBound(GetDimensionSize(sized, 0), below_9);
  EXPECT_EQ(Value(size, kLowerBound).Get<int32_t>({}), 0);
  EXPECT_EQ(Value(size, kUpperBound).Get<int32_t>({}), 9);
  XlaOp list = Parameter(&b_, 3, ShapeUtil::MakeShape(S32, {2}), "list");
  XlaOp half = SetBound(list, pair(LiteralUtil::CreateR1<int32_t>({3, 4}),
                                   LiteralUtil::CreateR1<bool>({true, false})));
  EXPECT_EQ(Dynamic(half), "{1, 0}");
  EXPECT_EQ(Value(half, kUpperBound).Get<int32_t>({0}), 3);
  XlaOp floats = SetBound(q_, pair(LiteralUtil::CreateR1<float>({3, 4}),
                                   LiteralUtil::CreateR1<bool>({true, false})));
  EXPECT_EQ(Dynamic(floats), "{1, 0}");
  EXPECT_EQ(Value(floats).Get<float>({1}), 4);
  EXPECT_EQ(Value(floats, kUpperBound).Get<float>({0}), std::nullopt);
  // Promises that do not fit say nothing.
  const Shape shape = ShapeUtil::MakeShape(S32, {});
  EXPECT_EQ(Dynamic(CustomCall(&b_, "SetBound", {p_}, shape)), "true");
  EXPECT_EQ(Dynamic(SetBound(p_, LiteralUtil::CreateR1<int32_t>({1}))), "true");
  EXPECT_FALSE(
      Value(SetBound(p_, LiteralUtil::CreateR0<int64_t>(1)), kUpperBound)
          .AllValid());
}

TEST_F(InferenceValuesTest, FloatsAreKnownElementByElement) {
  XlaOp mixed = ConcatInDim(&b_, {ConstantR1<float>(&b_, {1.5, 2}), q_}, 0);
  EXPECT_EQ(Dynamic(mixed), "{0, 0, 1, 1}");
  XlaOp root = Sqrt(Mul(mixed, mixed));
  EXPECT_EQ(Dynamic(root), "{0, 0, 1, 1}");
  EXPECT_EQ(Value(root).Get<float>({0}), 1.5);
  for (auto mode : {kValue, kUpperBound, kLowerBound}) {
    EXPECT_EQ(Value(root, mode).Get<float>({1}), 2);
    EXPECT_EQ(Value(root, mode).Get<float>({2}), std::nullopt);
  }
  EXPECT_EQ(Value(Rev(mixed, {0})).Get<float>({3}), 1.5);
  XlaOp less = Lt(mixed, ConstantR0<float>(&b_, 2));
  EXPECT_EQ(Dynamic(less), "{0, 0, 1, 1}");
  EXPECT_EQ(Value(less).Get<bool>({0}), true);
  EXPECT_EQ(Value(less, kUpperBound).Get<bool>({2}), std::nullopt);
  EXPECT_EQ(Dynamic(Select(less, Neg(mixed), Sub(mixed, mixed))),
            "{0, 0, 1, 1}");
  EXPECT_EQ(Dynamic(ConvertElementType(mixed, S32)), "{0, 0, 1, 1}");
  // The bits are not followed, nor is an element that becomes several.
  EXPECT_EQ(Dynamic(BitcastConvertType(mixed, S32)), "{1, 1, 1, 1}");
  EXPECT_EQ(Dynamic(BitcastConvertType(mixed, S16)),
            "{ { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } }");
  XlaOp matrix = Reshape(mixed, {2, 2});
  EXPECT_EQ(
      Dynamic(Reduce(matrix, ConstantR0<float>(&b_, 0), ScalarAdd(), {1})),
      "{0, 1}");
  EXPECT_EQ(
      Dynamic(Reduce(matrix, ConstantR0<float>(&b_, 0), ScalarAdd(), {0})),
      "{1, 1}");
  // A scalar selects between arrays.
  XlaOp yes = ConstantR0<bool>(&b_, true);
  EXPECT_EQ(Dynamic(Select(yes, mixed, mixed)), "{0, 0, 1, 1}");
}

TEST_F(InferenceValuesTest, ReductionsOfSeveralArrays) {
  XlaBuilder reducer("reducer");
  const Shape f32 = ShapeUtil::MakeShape(F32, {});
  XlaOp i = Parameter(&reducer, 0, s32_, "i");
  XlaOp x = Parameter(&reducer, 1, f32, "x");
  XlaOp j = Parameter(&reducer, 2, s32_, "j");
  XlaOp y = Parameter(&reducer, 3, f32, "y");
  Tuple(&reducer, {Select(Gt(y, x), j, i), Max(x, y)});
  XlaOp indices = Iota(&b_, ShapeUtil::MakeShape(S32, {2, 2}), 1);
  XlaOp mixed = ConcatInDim(
      &b_, {ConstantR2<float>(&b_, {{1, 7}}), Reshape(q_, {1, 2})}, 0);
  XlaOp best = Reduce(&b_, {indices, mixed},
                      {ConstantR0<int32_t>(&b_, 0), ConstantR0<float>(&b_, 0)},
                      reducer.Build().value(), {1});
  EXPECT_EQ(Dynamic(best), "( {0, 1}, {0, 1} )");
  EXPECT_EQ(Value(best).Get<int32_t>({0}, {0}), 1);
  EXPECT_EQ(Value(best).Get<float>({0}, {1}), 7);
  EXPECT_EQ(Value(GetTupleElement(best, 0), kUpperBound).Get<int32_t>({1}),
            std::nullopt);
  // The init values are dynamic.
  XlaOp from_p =
      Reduce(ConstantR1<int32_t>(&b_, {1, 2}), p_, ScalarAdd(S32), {0});
  EXPECT_EQ(Dynamic(from_p), "true");
  // A function that is more than one op.
  XlaBuilder twice("twice");
  XlaOp a = Parameter(&twice, 0, s32_, "a"),
        b = Parameter(&twice, 1, s32_, "b");
  Add(Add(a, b), b);
  XlaOp rows = ConcatInDim(
      &b_, {ConstantR2<int32_t>(&b_, {{1, 2}}), Broadcast(p_, {1, 2})}, 0);
  XlaOp sums =
      Reduce(rows, ConstantR0<int32_t>(&b_, 0), twice.Build().value(), {1});
  EXPECT_EQ(Dynamic(sums), "{0, 1}");
  EXPECT_EQ(Value(sums).Get<int32_t>({0}), 6);
}

}  // namespace
}  // namespace xla
