// Simplification of index expressions: each rule once, and random expressions
// against their values.
#include "xla/hlo/indexing/index_expr.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace xla {
namespace {

std::string Text(const IndexExpr& e) {
  return e.ToString([](int32_t i) { return absl::StrCat("d", i); });
}

class IndexExprTest : public ::testing::Test {
 protected:
  IndexExprTest() {
    for (int64_t size : {6, 4, 5}) space_.AddVariable(Interval::Below(size));
    space_.AddVariable(Interval());
  }
  IndexExpr d(int32_t i) const { return space_.Variable(i); }
  // d0 * 20 + d1 * 5 + d2: the position in an array of [6, 4, 5].
  IndexExpr Position() const {
    return space_.Add(
        space_.Add(space_.Multiply(d(0), 20), space_.Multiply(d(1), 5)), d(2));
  }

  IndexSpace space_;  // d3 can be any number
};

TEST_F(IndexExprTest, SumsAreInNormalForm) {
  EXPECT_EQ(Text(space_.Add(space_.Add(d(1), d(0)), d(1))), "d0 + d1 * 2");
  EXPECT_EQ(Text(space_.Subtract(space_.Add(d(0), 3), d(0))), "3");
  EXPECT_EQ(Text(space_.Subtract(IndexExpr(), space_.Add(d(0), 1))), "-d0 - 1");
}

TEST_F(IndexExprTest, MultiplesLeaveAQuotient) {
  EXPECT_EQ(Text(space_.FloorDiv(Position(), 20)), "d0");
  EXPECT_EQ(Text(space_.FloorDiv(Position(), 5)), "d0 * 4 + d1");
  EXPECT_EQ(Text(space_.FloorDiv(Position(), 10)), "d0 * 2 + d1 floordiv 2");
  EXPECT_EQ(Text(space_.FloorDiv(space_.Add(d(3), -7), 4)),
            "(d3 + 1) floordiv 4 - 2");
}

TEST_F(IndexExprTest, MultiplesLeaveARemainder) {
  EXPECT_EQ(Text(space_.Mod(Position(), 20)), "d1 * 5 + d2");
  EXPECT_EQ(Text(space_.Mod(Position(), 5)), "d2");
  EXPECT_EQ(Text(space_.Mod(Position(), 10)), "d2 + (d1 mod 2) * 5");
  EXPECT_EQ(Text(space_.Mod(space_.Multiply(d(3), 7), 4)), "(d3 * 7) mod 4");
}

TEST_F(IndexExprTest, RangesDecide) {
  EXPECT_EQ(Text(space_.FloorDiv(d(0), 6)), "0");
  EXPECT_EQ(Text(space_.Mod(d(0), 6)), "d0");
  EXPECT_EQ(Text(space_.Mod(space_.Add(d(0), 12), 6)), "d0");
  EXPECT_EQ(Text(space_.Mod(space_.Add(d(0), -6), 6)), "d0");
  EXPECT_EQ(Text(space_.FloorDiv(space_.Add(d(0), -6), 6)), "-1");
  EXPECT_EQ(Text(space_.FloorDiv(d(3), 6)), "d3 floordiv 6");
}

TEST_F(IndexExprTest, NestedDivisionsBecomeOne) {
  const IndexExpr half = space_.FloorDiv(d(3), 2);
  EXPECT_EQ(Text(space_.FloorDiv(half, 3)), "d3 floordiv 6");
  EXPECT_EQ(Text(space_.FloorDiv(space_.Add(half, d(0)), 3)),
            "(d0 * 2 + d3) floordiv 6");
  const IndexExpr mod6 = space_.Mod(d(3), 6);
  EXPECT_EQ(Text(space_.Mod(mod6, 3)), "d3 mod 3");
  EXPECT_EQ(Text(space_.FloorDiv(mod6, 3)), "(d3 floordiv 3) mod 2");
}

TEST_F(IndexExprTest, QuotientAndRemainderMakeTheWhole) {
  for (int64_t divisor : {2, 3, 7, 10, 40}) {
    const IndexExpr whole = space_.Add(
        space_.Multiply(space_.FloorDiv(Position(), divisor), divisor),
        space_.Mod(Position(), divisor));
    EXPECT_EQ(whole, Position()) << Text(whole) << " by " << divisor;
  }
}

// [6, 4, 5] -> [3, 8, 5] -> [120] -> [6, 4, 5].
TEST_F(IndexExprTest, ReshapesThereAndBackCancel) {
  const IndexExpr a = space_.FloorDiv(Position(), 40);
  const IndexExpr b = space_.Mod(space_.FloorDiv(Position(), 5), 8);
  const IndexExpr c = space_.Mod(Position(), 5);
  const IndexExpr position =
      space_.Add(space_.Add(space_.Multiply(a, 40), space_.Multiply(b, 5)), c);
  EXPECT_EQ(position, Position()) << Text(position);
}

TEST_F(IndexExprTest, WhatDoesNotFitIsUnknown) {
  const IndexExpr huge = space_.Multiply(d(0), INT64_MAX / 2);
  EXPECT_TRUE(huge.known());
  EXPECT_FALSE(space_.Multiply(huge, 4).known());
  EXPECT_FALSE(space_.Add(space_.Add(huge, huge), huge).known());
  EXPECT_FALSE(space_.FloorDiv(space_.Multiply(huge, 4), 2).known());
  EXPECT_EQ(huge.Evaluate({5, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(Text(space_.Multiply(huge, 4)), "unknown");
}

TEST_F(IndexExprTest, LongExpressionsAreUnknown) {
  IndexExpr e = d(3);
  for (int64_t divisor = 3; divisor < 400 && e.known(); divisor += 2) {
    e = space_.Add(space_.Mod(e, divisor), space_.FloorDiv(d(3), divisor));
  }
  EXPECT_FALSE(e.known());
}

TEST_F(IndexExprTest, Substitutes) {
  const IndexExpr half = space_.FloorDiv(d(3), 2);
  const std::vector<IndexExpr> values = {d(0), d(1), d(2),
                                         space_.Multiply(d(0), 4)};
  EXPECT_EQ(Text(space_.Substitute(half, values)), "d0 * 2");
  EXPECT_TRUE(half.DependsOn(3));
  EXPECT_FALSE(half.DependsOn(0));
}

// An expression as a function, and as IndexSpace simplifies it.
struct Pair {
  std::function<int64_t(const std::vector<int64_t>&)> value;
  IndexExpr expr;
};

class RandomExprs {
 public:
  explicit RandomExprs(int seed) : random_(seed) {
    for (int i = 0; i < 3; ++i) {
      const int64_t lower = Number(-20, 20);
      ranges_.push_back({lower, lower + Number(0, 30)});
      space_.AddVariable(ranges_.back());
    }
  }
  int64_t Number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  Pair Make(int depth) {
    const int64_t kind = depth == 0 ? 0 : Number(1, 5);
    if (kind == 0) {
      const int32_t i = static_cast<int32_t>(Number(0, 2));
      return {[i](const auto& v) { return v[i]; }, space_.Variable(i)};
    }
    Pair a = Make(depth - 1);
    if (kind == 1) {
      Pair b = Make(static_cast<int>(Number(0, depth - 1)));
      return {[a, b](const auto& v) { return a.value(v) + b.value(v); },
              space_.Add(a.expr, b.expr)};
    }
    const int64_t n = Number(1, 12);
    if (kind == 2) {
      const int64_t factor = Number(-6, 24);
      return {[a, factor](const auto& v) { return a.value(v) * factor; },
              space_.Multiply(a.expr, factor)};
    }
    if (kind == 3) {
      return {[a, n](const auto& v) { return a.value(v) + n; },
              space_.Add(a.expr, n)};
    }
    auto quotient = [a, n](const std::vector<int64_t>& v) {
      const int64_t x = a.value(v);
      return x / n - (x % n < 0);
    };
    if (kind == 4) return {quotient, space_.FloorDiv(a.expr, n)};
    return {[a, n, quotient](const auto& v) {
              return a.value(v) - quotient(v) * n;
            },
            space_.Mod(a.expr, n)};
  }
  std::vector<int64_t> Values() {
    std::vector<int64_t> values;
    for (const Interval& range : ranges_) {
      values.push_back(Number(range.lower, range.upper));
    }
    return values;
  }
  const IndexSpace& space() const { return space_; }

 private:
  std::mt19937_64 random_;
  std::vector<Interval> ranges_;
  IndexSpace space_;
};

TEST(RandomIndexExprTest, ValuesAndRangesAreRight) {
  for (int seed = 0; seed < 5000; ++seed) {
    RandomExprs random(seed);
    const Pair pair = random.Make(static_cast<int>(random.Number(1, 7)));
    const Interval range = random.space().RangeOf(pair.expr);
    for (int k = 0; k < 20; ++k) {
      const std::vector<int64_t> values = random.Values();
      const int64_t expected = pair.value(values);
      ASSERT_EQ(pair.expr.Evaluate(values), expected)
          << "seed " << seed << ": " << Text(pair.expr);
      ASSERT_TRUE(range.Contains(expected))
          << "seed " << seed << ": " << Text(pair.expr) << " in "
          << ToString(range);
    }
  }
}

}  // namespace
}  // namespace xla
