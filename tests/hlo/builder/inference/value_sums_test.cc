// Tests numbers that are known as sums: that they cancel, and that their bounds
// are bounds.
#include "xla/hlo/builder/inference/value_sums.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/inference/value_inference.h"

namespace xla {
namespace {

// a is in 0..2, b in 0..3, x is unknown.
class ValueSumsTest : public ::testing::Test {
 protected:
  // Returns "low..high" of the first element.
  std::string Bounds(XlaOp op) {
    const std::vector<int64_t> first(b_.GetShape(op)->rank(), 0);
    const Shape shape = b_.GetShape(op).value();
    XlaOp wide = ConvertElementType(op, S64);
    const auto at = [&](ValueInferenceMode mode) -> std::string {
      const auto value = inference_.AnalyzeConstant(wide, mode);
      if (!value.ok()) return std::string(value.status().message());
      const auto number = value->Get<int64_t>(first);
      return number.has_value() ? absl::StrCat(*number) : "?";
    };
    return absl::StrCat(at(kLowerBound), "..", at(kUpperBound));
  }
  XlaOp Number(int32_t n) { return ConstantR0<int32_t>(&b_, n); }

  XlaBuilder b_{"b"};
  ValueInference inference_{&b_};
  XlaOp p_ =
      Parameter(&b_, 0, ShapeUtil::MakeShape(S32, {2, 3}, {true, true}), "p");
  XlaOp a_ = GetDimensionSize(p_, 0);
  XlaOp c_ = GetDimensionSize(p_, 1);
  XlaOp x_ = Parameter(&b_, 1, ShapeUtil::MakeShape(S32, {}), "x");
};

TEST_F(ValueSumsTest, TermsCancel) {
  XlaOp difference = Sub(c_, a_);
  EXPECT_EQ(Bounds(difference), "-2..3");
  EXPECT_EQ(Bounds(Add(difference, a_)), "0..3");
  EXPECT_EQ(Bounds(Add(a_, difference)), "0..3");
  EXPECT_EQ(Bounds(Add(difference, Add(c_, a_))), "0..6");
  EXPECT_EQ(Bounds(Sub(Add(x_, c_), x_)), "0..3");
  EXPECT_EQ(Bounds(Sub(Mul(a_, Number(3)), Add(a_, a_))), "0..2");
  EXPECT_EQ(Bounds(Add(Neg(a_), Sub(a_, Number(4)))), "-4..-4");
  EXPECT_FALSE(inference_.AnalyzeIsDynamic(Sub(x_, x_)).value().Get<bool>({}));
  // Other numbers do not cancel.
  XlaOp y = Parameter(&b_, 2, ShapeUtil::MakeShape(S32, {}), "y");
  EXPECT_EQ(Bounds(Sub(Add(x_, c_), y)), "?..?");
  // Nor does a - b + a.
  EXPECT_EQ(Bounds(Add(Sub(a_, c_), a_)), "-3..4");
}

TEST_F(ValueSumsTest, ThroughMovesAndEqualSizes) {
  XlaOp moved = ConvertElementType(Broadcast(a_, {1, 10}), S32);
  moved = Reshape(SliceInDim(moved, 0, 1, 1, 1), {});
  EXPECT_EQ(Bounds(Add(Sub(c_, moved), a_)), "0..3");
  EXPECT_EQ(Bounds(Add(Sub(c_, moved), Add(moved, c_))), "0..6");
  EXPECT_EQ(Bounds(Add(Sub(c_, GetDimensionSize(p_, 0)), a_)), "0..3");
  EXPECT_EQ(Bounds(Add(Sub(Broadcast(c_, {4}), Broadcast(a_, {4})),
                       Broadcast(a_, {4}))),
            "0..3");
  XlaOp wide = ConvertElementType(a_, S64);
  EXPECT_EQ(Bounds(Sub(Add(wide, ConvertElementType(c_, S64)), wide)), "0..3");
  // The operands of a call.
  auto inner = b_.CreateSubBuilder("inner");
  Sub(Parameter(inner.get(), 0, ShapeUtil::MakeShape(S32, {}), "i"),
      Parameter(inner.get(), 1, ShapeUtil::MakeShape(S32, {}), "j"));
  const XlaComputation minus = inner->BuildAndNoteError();
  EXPECT_EQ(Bounds(Add(Call(&b_, minus, {c_, a_}), a_)), "0..3");
}

TEST_F(ValueSumsTest, CallsOfOneComputationDiffer) {
  // An instruction of a computation that is called twice is two numbers.
  const Shape s32 = ShapeUtil::MakeShape(S32, {});
  auto inner = b_.CreateSubBuilder("inner");
  XlaOp i = Parameter(inner.get(), 0, s32, "i");
  Max(i, Mul(i, i));
  const XlaComputation f = inner->BuildAndNoteError();
  EXPECT_EQ(Bounds(Sub(Call(&b_, f, {a_}), Call(&b_, f, {c_}))), "-9..4");
}

TEST_F(ValueSumsTest, SumsThatWrapAround) {
  XlaOp big = Number(INT32_MAX);
  // The intermediate result may wrap around, the result does not.
  EXPECT_EQ(Bounds(Sub(Add(a_, big), big)), "0..2");
  EXPECT_EQ(Bounds(Add(a_, big)), "?..?");
  XlaOp scaled = Mul(x_, Number(1 << 30));
  EXPECT_EQ(Bounds(Mul(scaled, Number(4))), "0..0");
  // 64 bits of a sum that wrapped around in 32 are another number.
  XlaOp wrapped = ConvertElementType(Add(a_, big), S64);
  EXPECT_EQ(Bounds(Sub(wrapped, ConvertElementType(a_, S64))), "?..?");
  XlaOp narrow = ConvertElementType(Add(a_, Number(300)), S8);
  EXPECT_EQ(Bounds(narrow), "?..?");
  XlaOp unsigned_size = ConvertElementType(a_, U32);
  EXPECT_EQ(Bounds(Sub(unsigned_size, ConstantR0<uint32_t>(&b_, 1))), "?..?");
  EXPECT_EQ(Bounds(Add(unsigned_size, ConstantR0<uint32_t>(&b_, 4000000000))),
            "4000000000..4000000002");
}

TEST_F(ValueSumsTest, ManyTermsAndElementsAreStillSound) {
  XlaOp list = Parameter(&b_, 2, ShapeUtil::MakeShape(S32, {20}), "list");
  XlaOp sum = a_;
  for (int i = 0; i < 20; ++i) {
    sum = Add(sum, Reshape(SliceInDim(list, i, i + 1, 1, 0), {}));
  }
  EXPECT_EQ(Bounds(Sub(sum, sum)), "0..0");
  EXPECT_EQ(Bounds(Sub(sum, a_)), "?..?");
  XlaOp many = Broadcast(a_, {100});
  EXPECT_EQ(Bounds(Sub(Add(many, many), many)), "-2..4");
}

// Compares with the numbers of 8 bits themselves.
TEST(ValueSumsSoundnessTest, BoundsHoldForRandomExpressions) {
  std::mt19937 random(1);
  for (PrimitiveType type : {S8, U8}) {
    const ValueBounds range = RangeOf(type);
    int bounded = 0;
    for (int round = 0; round < 2000; ++round) {
      ValueSums sums;
      std::vector<KnownElement> elements;
      std::vector<int> values;
      const auto wrap = [&](int value) {
        return type == S8 ? int{static_cast<int8_t>(value)}
                          : int{static_cast<uint8_t>(value)};
      };
      for (int i = 0; i < 3; ++i) {
        const int low = static_cast<int>(range.low) + random() % 200;
        const int high =
            std::min(low + int(random() % 50), static_cast<int>(range.high));
        KnownElement element;
        element.bounds = {low, high};
        element.unbounded = false;
        element.sum = sums.AddUnknown(element.bounds);
        elements.push_back(element);
        values.push_back(low + random() % (high - low + 1));
      }
      elements.push_back(KnownElement::Constant(wrap(random())));
      values.push_back(static_cast<int>(elements.back().bounds.low));
      for (int i = 0; i < 6; ++i) {
        const HloOpcode opcode =
            std::vector{HloOpcode::kAdd, HloOpcode::kSubtract,
                        HloOpcode::kMultiply, HloOpcode::kNegate}[random() % 4];
        const size_t l = random() % elements.size();
        const size_t r = random() % elements.size();
        std::vector<KnownElement> operands = {elements[l], elements[r]};
        if (opcode == HloOpcode::kNegate) operands.pop_back();
        KnownElement result;
        result.sum = sums.Apply(opcode, type, type, operands);
        if (result.sum == 0) continue;
        const int a = values[l], b = values[r];
        const int value = wrap(opcode == HloOpcode::kAdd        ? a + b
                               : opcode == HloOpcode::kSubtract ? a - b
                               : opcode == HloOpcode::kMultiply ? a * b
                                                                : -a);
        if (const auto bounds = sums.BoundsOf(result.sum, type)) {
          ++bounded;
          EXPECT_LE(bounds->low, value);
          EXPECT_GE(bounds->high, value);
          EXPECT_GE(bounds->low, range.low);
        }
        elements.push_back(result);
        values.push_back(value);
      }
    }
    EXPECT_GT(bounded, 1000);
  }
}

}  // namespace
}  // namespace xla
