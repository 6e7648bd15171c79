// Bounds hold for all operands within the operands' bounds, and are as narrow
// as possible if ops are monotonic: tests every pair of intervals of small
// types.
#include "xla/hlo/builder/inference/value_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/core/literal/literal.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ops/hlo_opcode.h"

namespace xla {
namespace {

std::vector<int64_t> Numbers(PrimitiveType type) {
  const ValueBounds range = RangeOf(type);
  std::vector<int64_t> numbers;
  for (absl::int128 n = range.low; n <= range.high; ++n) {
    numbers.push_back(static_cast<int64_t>(n));
  }
  return numbers;
}

Literal AsType(const std::vector<int64_t>& numbers, PrimitiveType type) {
  Literal wide(
      ShapeUtil::MakeShape(S64, {static_cast<int64_t>(numbers.size())}));
  std::copy(numbers.begin(), numbers.end(), wide.data<int64_t>().begin());
  return wide.Convert(type).value();
}

std::vector<int64_t> AsNumbers(const Literal& literal) {
  const Literal wide = literal.Convert(S64).value();
  return {wide.data<int64_t>().begin(), wide.data<int64_t>().end()};
}

// Returns results[i * n + j], the evaluator's result for numbers i and j.
std::vector<int64_t> Table(HloOpcode opcode, PrimitiveType type,
                           ComparisonDirection direction) {
  std::vector<int64_t> a, b;
  for (int64_t x : Numbers(type)) {
    for (int64_t y : Numbers(type)) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  HloEvaluator evaluator;
  const Literal lhs = AsType(a, type), rhs = AsType(b, type);
  return AsNumbers(
      opcode == HloOpcode::kCompare
          ? evaluator.EvaluateElementwiseCompareOp(direction, lhs, rhs).value()
          : evaluator.EvaluateElementwiseBinaryOp(opcode, lhs, rhs).value());
}

// Checks all pairs of intervals; returns how many have bounds.
int CheckPairs(HloOpcode opcode, PrimitiveType type, PrimitiveType result,
               ComparisonDirection direction, bool is_narrow) {
  const std::vector<int64_t> numbers = Numbers(type);
  const std::vector<int64_t> table = Table(opcode, type, direction);
  const int n = numbers.size();
  int bounded = 0;
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b)
      for (int c = 0; c < n; ++c)
        for (int d = c; d < n; ++d) {
          const auto bounds = BoundsOf(opcode, result,
                                       {ValueBounds{numbers[a], numbers[b]},
                                        ValueBounds{numbers[c], numbers[d]}},
                                       direction);
          if (!bounds.has_value()) continue;
          ++bounded;
          int64_t low = table[a * n + c], high = low;
          for (int i = a; i <= b; ++i) {
            const auto from = table.begin() + i * n;
            low = std::min(low, *std::min_element(from + c, from + d + 1));
            high = std::max(high, *std::max_element(from + c, from + d + 1));
          }
          const bool holds = bounds->low <= low && high <= bounds->high;
          const bool narrow = bounds->low == low && bounds->high == high;
          if (holds && (narrow || !is_narrow)) continue;
          ADD_FAILURE() << HloOpcodeString(opcode) << " of [" << numbers[a]
                        << ", " << numbers[b] << "] and [" << numbers[c] << ", "
                        << numbers[d] << "] is in [" << low << ", " << high
                        << "]";
          return bounded;
        }
  return bounded;
}

TEST(ValueBoundsTest, OfTwoOperands) {
  const auto eq = ComparisonDirection::kEq;
  for (PrimitiveType type : {S4, U4}) {
    for (HloOpcode opcode :
         {HloOpcode::kAdd, HloOpcode::kSubtract, HloOpcode::kMultiply,
          HloOpcode::kMaximum, HloOpcode::kMinimum, HloOpcode::kDivide}) {
      EXPECT_GT(CheckPairs(opcode, type, type, eq, true), 500);
    }
    for (HloOpcode opcode : {HloOpcode::kRemainder, HloOpcode::kAnd,
                             HloOpcode::kOr, HloOpcode::kXor}) {
      EXPECT_GT(CheckPairs(opcode, type, type, eq, false), 500);
    }
    for (auto direction :
         {ComparisonDirection::kEq, ComparisonDirection::kNe,
          ComparisonDirection::kLt, ComparisonDirection::kLe,
          ComparisonDirection::kGt, ComparisonDirection::kGe}) {
      EXPECT_GT(CheckPairs(HloOpcode::kCompare, type, PRED, direction, true),
                500);
    }
    // This op has no rule.
    EXPECT_EQ(CheckPairs(HloOpcode::kPower, type, type, eq, false), 0);
  }
  for (HloOpcode opcode : {HloOpcode::kAnd, HloOpcode::kOr}) {
    EXPECT_EQ(CheckPairs(opcode, PRED, PRED, eq, true), 9);
  }
}

TEST(ValueBoundsTest, OfOneOperand) {
  for (PrimitiveType type : {S4, U4, PRED}) {
    for (HloOpcode opcode : {HloOpcode::kNegate, HloOpcode::kAbs,
                             HloOpcode::kSign, HloOpcode::kNot}) {
      if (type != S4 && opcode != HloOpcode::kNot) continue;
      const std::vector<int64_t> numbers = Numbers(type);
      const std::vector<int64_t> results = AsNumbers(
          HloEvaluator()
              .EvaluateElementwiseUnaryOp(opcode, AsType(numbers, type))
              .value());
      for (size_t a = 0; a < numbers.size(); ++a) {
        for (size_t b = a; b < numbers.size(); ++b) {
          const auto bounds =
              BoundsOf(opcode, type, {ValueBounds{numbers[a], numbers[b]}},
                       ComparisonDirection::kEq);
          // Only the lowest number has no negative.
          ASSERT_EQ(bounds.has_value(), opcode == HloOpcode::kNot ||
                                            opcode == HloOpcode::kSign ||
                                            numbers[a] != -8);
          if (!bounds.has_value()) continue;
          EXPECT_EQ(bounds->low, *std::min_element(results.begin() + a,
                                                   results.begin() + b + 1));
          EXPECT_EQ(bounds->high, *std::max_element(results.begin() + a,
                                                    results.begin() + b + 1));
        }
      }
    }
  }
}

TEST(ValueBoundsTest, Conversions) {
  const auto convert = [](PrimitiveType type, int64_t low, int64_t high) {
    const auto bounds =
        BoundsOf(HloOpcode::kConvert, type, {ValueBounds{low, high}},
                 ComparisonDirection::kEq);
    return !bounds.has_value()
               ? std::string("any")
               : absl::StrCat(static_cast<int64_t>(bounds->low), " ",
                              static_cast<int64_t>(bounds->high));
  };
  EXPECT_EQ(convert(U8, 3, 255), "3 255");
  EXPECT_EQ(convert(U8, 3, 256), "any");
  EXPECT_EQ(convert(U8, -1, 3), "any");
  EXPECT_EQ(convert(PRED, -1, 3), "0 1");
  EXPECT_EQ(convert(PRED, 1, 300), "1 1");
  EXPECT_EQ(convert(PRED, 0, 0), "0 0");
}

}  // namespace
}  // namespace xla
