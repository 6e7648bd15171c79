// Uses every name of xla/comparison_util.h.
#include "xla/comparison_util.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using Direction = Comparison::Direction;
using Order = Comparison::Order;
using Type = Comparison::Type;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ComparisonUtilNamesTest, Parts) {
  const Comparison lt(Direction::kLt, BF16, Order::kTotal);
  EXPECT_EQ(lt.GetDirection(), ComparisonDirection::kLt);
  EXPECT_EQ(lt.GetPrimitiveType(), BF16);
  EXPECT_EQ(lt.GetOrder(), ComparisonOrder::kTotal);
  EXPECT_EQ(lt.GetType(), Type::kFloatTotalOrder);
  EXPECT_EQ(lt.ToString(), ".LT.BF16.TOTALORDER");
  EXPECT_EQ(lt.ToString("", "/", "-"), "LT/BF16-TOTALORDER");
  std::ostringstream stream;
  stream << Comparison(Direction::kEq, U32);
  EXPECT_EQ(stream.str(), ".EQ.U32.TOTALORDER");
  EXPECT_TRUE(Comparison(Direction::kEq, U32).IsTotalOrder());
  EXPECT_TRUE(Comparison(Direction::kEq, F16).IsPartialOrder());
}

TEST(ComparisonUtilNamesTest, Types) {
  const struct {
    Type type;
    PrimitiveType primitive_type;
    Order order;
    std::string name;
  } kTypes[] = {
      {Type::kFloat, F32, Order::kPartial, "FLOAT"},
      {Type::kFloatTotalOrder, F32, Order::kTotal, "TOTALORDER"},
      {Type::kSigned, S32, Order::kTotal, "SIGNED"},
      {Type::kUnsigned, U32, Order::kTotal, "UNSIGNED"},
  };
  for (const auto& [type, primitive_type, order, name] : kTypes) {
    const Comparison comparison(Direction::kGe, type);
    EXPECT_EQ(comparison.GetPrimitiveType(), primitive_type);
    EXPECT_EQ(comparison.GetOrder(), order);
    EXPECT_EQ(comparison.GetType(), type);
    EXPECT_EQ(ComparisonTypeToString(type), name);
    EXPECT_EQ(StringToComparisonType(name).value(), type);
  }
  EXPECT_FALSE(StringToComparisonType("float").ok());
  EXPECT_EQ(Comparison::DefaultComparisonType(C64), Type::kFloat);
  EXPECT_EQ(Comparison::DefaultComparisonType(S8), Type::kSigned);
  EXPECT_EQ(Comparison::DefaultComparisonType(PRED), Type::kUnsigned);
  EXPECT_EQ(ComparisonPrimitiveTypeToString(F8E5M2), "F8E5M2");
}

TEST(ComparisonUtilNamesTest, Directions) {
  const struct {
    Direction direction;
    std::string name;
    Direction converse, inverse;
    bool reflexive, antireflexive;
  } kDirections[] = {
      {Direction::kEq, "EQ", Direction::kEq, Direction::kNe, true, false},
      {Direction::kNe, "NE", Direction::kNe, Direction::kEq, false, true},
      {Direction::kGe, "GE", Direction::kLe, Direction::kLt, true, false},
      {Direction::kGt, "GT", Direction::kLt, Direction::kLe, false, true},
      {Direction::kLe, "LE", Direction::kGe, Direction::kGt, true, false},
      {Direction::kLt, "LT", Direction::kGt, Direction::kGe, false, true},
  };
  for (const auto& d : kDirections) {
    const Comparison c(d.direction, S32);
    EXPECT_EQ(ComparisonDirectionToString(d.direction), d.name);
    EXPECT_EQ(StringToComparisonDirection(d.name).value(), d.direction);
    EXPECT_TRUE(c.Converse() == Comparison(d.converse, S32));
    EXPECT_TRUE(c.Inverse() == Comparison(d.inverse, S32));
    EXPECT_EQ(c.IsReflexive(), d.reflexive);
    EXPECT_EQ(c.IsAntireflexive(), d.antireflexive);
    EXPECT_EQ(c.IsEq(), d.name == "EQ");
    EXPECT_EQ(c.IsNe(), d.name == "NE");
    EXPECT_EQ(c.IsGe(), d.name == "GE");
    EXPECT_EQ(c.IsGt(), d.name == "GT");
    EXPECT_EQ(c.IsLt(), d.name == "LT");
    EXPECT_TRUE(c != Comparison(d.inverse, S32));
    EXPECT_TRUE(c != Comparison(d.direction, S16));
  }
  EXPECT_FALSE(StringToComparisonDirection("lt").ok());
  // NaN is neither below a number nor not below it.
  EXPECT_EQ(Comparison(Direction::kLt, F32).Inverse(), std::nullopt);
  EXPECT_FALSE(Comparison(Direction::kEq, F32).IsReflexive());
}

TEST(ComparisonUtilNamesTest, Standards) {
  const auto of = [](PrimitiveType type) {
    return Comparison(Direction::kEq, type);
  };
  EXPECT_TRUE(of(F32).IsStandardF32() && !of(F16).IsStandardF32());
  EXPECT_TRUE(of(S32).IsStandardS32() && !of(U32).IsStandardS32());
  EXPECT_TRUE(of(U32).IsStandardU32() && !of(S32).IsStandardU32());
  const Comparison total(Direction::kEq, F32, Order::kTotal);
  EXPECT_TRUE(total.IsF32TotalOrder() && !of(F32).IsF32TotalOrder());
  EXPECT_FALSE(total.IsStandardF32());
  EXPECT_TRUE(of(U4).IsIntegralPrimitiveType());
  EXPECT_FALSE(of(F32).IsIntegralPrimitiveType());
  EXPECT_TRUE(of(BF16).IsFloatingPointPrimitiveType());
  EXPECT_FALSE(of(S32).IsFloatingPointPrimitiveType());
}

TEST(ComparisonUtilNamesTest, Values) {
  const Comparison partial(Direction::kLt, F32);
  const Comparison total(Direction::kLt, F32, Order::kTotal);
  EXPECT_TRUE(partial.Compare<float>(1, 2));
  EXPECT_FALSE(partial.Compare<float>(1, kNan));
  EXPECT_FALSE(partial.Compare(-0.0f, 0.0f));
  EXPECT_TRUE(total.Compare(1.0f, kNan));
  EXPECT_TRUE(total.Compare(-kNan, -std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(total.Compare(-0.0f, 0.0f));
  EXPECT_TRUE(Comparison(Direction::kGe, U8).Compare<uint8_t>(200, 3));
  EXPECT_TRUE(Comparison(Direction::kNe, S64).GetComparator<int64_t>()(1, 2));
  EXPECT_FALSE(Comparison(Direction::kLe, S64).GetComparator<int64_t>()(2, 1));
}

TEST(ComparisonUtilNamesTest, Keys) {
  std::vector<std::pair<int, char>> pairs = {{3, 'a'}, {1, 'c'}, {2, 'b'}};
  std::sort(pairs.begin(), pairs.end(),
            LessThanByKey([](const auto& pair) { return pair.second; }));
  EXPECT_THAT(pairs, ElementsAre(std::pair(3, 'a'), std::pair(2, 'b'),
                                 std::pair(1, 'c')));
}

}  // namespace
}  // namespace xla
