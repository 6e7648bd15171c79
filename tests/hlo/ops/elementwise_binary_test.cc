// XlaBuilder's broadcasting rule, with the examples of the broadcasting
// document, and dynamic dimensions where operands meet.
#include "xla/hlo/ops/elementwise/elementwise_binary.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/hlo/rule_matcher.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Returns the broadcast shape as text, or the error.
std::string Broadcast(absl::string_view lhs, absl::string_view rhs,
                      std::vector<int64_t> dims = {}) {
  absl::StatusOr<Shape> a = ShapeUtil::ParseShapeString(lhs);
  absl::StatusOr<Shape> b = ShapeUtil::ParseShapeString(rhs);
  if (!a.ok() || !b.ok()) return "unreadable shape";
  absl::StatusOr<Shape> result = InferBroadcastedBinary(*a, *b, dims);
  return result.ok() ? ShapeUtil::HumanString(*result)
                     : std::string(result.status().message());
}

// Returns whether the error of such a broadcast names `rule`.
bool Breaks(const std::string& rule, absl::string_view lhs,
            absl::string_view rhs, std::vector<int64_t> dims = {}) {
  return testing::Value(Broadcast(lhs, rhs, dims), BreaksRule(rule));
}

TEST(InferBroadcastedBinaryTest, ScalarsFitEverything) {
  EXPECT_EQ(Broadcast("f32[2,3]", "f32[]"), "f32[2,3]");
  EXPECT_EQ(Broadcast("f32[]", "f32[2,3]"), "f32[2,3]");
}

TEST(InferBroadcastedBinaryTest, LowerRank) {
  EXPECT_EQ(Broadcast("f32[2,3]", "f32[3]", {1}), "f32[2,3]");
  EXPECT_EQ(Broadcast("f32[3]", "f32[3,3]", {0}), "f32[3,3]");
  EXPECT_EQ(Broadcast("f32[2,3,4]", "f32[3,4]", {1, 2}), "f32[2,3,4]");
}

TEST(InferBroadcastedBinaryTest, DegenerateDimensions) {
  EXPECT_EQ(Broadcast("f32[2,1]", "f32[2,3]"), "f32[2,3]");
  EXPECT_EQ(Broadcast("f32[1,2,5]", "f32[7,2,5]"), "f32[7,2,5]");
  EXPECT_EQ(Broadcast("f32[7,2,5]", "f32[7,1,5]"), "f32[7,2,5]");
  EXPECT_EQ(Broadcast("f32[2,1]", "f32[1,3]"), "f32[2,3]");
}

TEST(InferBroadcastedBinaryTest, BothAtOnce) {
  EXPECT_EQ(Broadcast("f32[4]", "f32[1,2]", {0}), "f32[4,2]");
  EXPECT_EQ(Broadcast("f32[1,2]", "f32[4,3,1]", {1, 2}), "f32[4,3,2]");
}

TEST(InferBroadcastedBinaryTest, DynamicDimensions) {
  EXPECT_EQ(Broadcast("f32[<=5]", "f32[5]"), "f32[<=5]");
  EXPECT_EQ(Broadcast("f32[<=5]", "f32[1]"), "f32[<=5]");
  EXPECT_EQ(Broadcast("f32[2,<=5]", "f32[<=5]", {1}), "f32[2,<=5]");
  EXPECT_EQ(Broadcast("f32[?]", "f32[5]"), "f32[5]");
}

TEST(InferBroadcastedBinaryTest, FloatsOfTwoTypes) {
  EXPECT_EQ(Broadcast("bf16[2]", "f32[2]"), "f32[2]");
}

TEST(InferBroadcastedBinaryTest, BrokenRules) {
  EXPECT_TRUE(Breaks("implicit_broadcast_c1", "f32[2]", "token[]"));
  EXPECT_TRUE(Breaks("implicit_broadcast_c2", "s32[2]", "f32[2]"));
  EXPECT_TRUE(Breaks("implicit_broadcast_c3", "f32[2,3]", "f32[3]"));
  EXPECT_TRUE(Breaks("implicit_broadcast_c3", "f32[2,3]", "f32[]", {0}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c4", "f32[2,3]", "f32[3]", {2}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c4", "f32[2,3]", "f32[3]", {-1}));
  EXPECT_TRUE(
      Breaks("implicit_broadcast_c5", "f32[2,3,4]", "f32[4,3]", {2, 1}));
  EXPECT_TRUE(
      Breaks("implicit_broadcast_c5", "f32[2,3,3]", "f32[3,3]", {1, 1}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c6", "f32[2,3]", "f32[2,3]", {1, 0}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c6", "f32[2,3]", "f32[2,3]", {0}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c7", "f32[7,2,5]", "f32[7,2,6]"));
  EXPECT_TRUE(Breaks("implicit_broadcast_c7", "f32[2,3]", "f32[2]", {1}));
  EXPECT_TRUE(Breaks("implicit_broadcast_c7", "f32[<=5]", "f32[<=4]"));
}

}  // namespace
}  // namespace xla
