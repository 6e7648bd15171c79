// The worked examples of the broadcasting document, with values.
#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"

namespace xla::spec {
namespace {

using ::testing::HasSubstr;
using Dims = std::vector<int64_t>;

// Returns lhs + rhs of two constants.
std::string Sum(absl::string_view lhs, absl::string_view rhs,
                absl::Span<const int64_t> broadcast_dimensions = {}) {
  XlaBuilder b("sum");
  Add(Constant(b, lhs), Constant(b, rhs), broadcast_dimensions);
  return BuildAndRun(b);
}

// Returns the operand element that corresponds to the element `index` of the
// result: operand dimension i is dimension map[i] of the result, or has size 1.
float At(const Literal& operand, const Dims& map, const Dims& index) {
  Dims at;
  for (size_t i = 0; i < map.size(); ++i) {
    at.push_back(operand.shape().dimensions(i) == 1 ? 0 : index[map[i]]);
  }
  return operand.Get<float>(at);
}

// Adds arrays of these sizes and compares each element of the sum with the
// document's rule.
void ExpectSum(const Dims& lhs_sizes, const Dims& rhs_sizes, const Dims& map,
               const Dims& result_sizes) {
  const Literal lhs = Counting(lhs_sizes);
  const Literal rhs =
      Filled(rhs_sizes, [n = 0](auto) mutable { return 10000.0 * n++; });
  XlaBuilder b("sum");
  Add(ConstantLiteral(&b, lhs), ConstantLiteral(&b, rhs), map);
  const Literal sum = RunToLiteral(b);
  ASSERT_EQ(
      Dims(sum.shape().dimensions().begin(), sum.shape().dimensions().end()),
      result_sizes);
  Dims every(result_sizes.size());
  for (size_t i = 0; i < every.size(); ++i) every[i] = i;
  const Dims& lhs_map = lhs_sizes.size() < every.size() ? map : every;
  const Dims& rhs_map = rhs_sizes.size() < every.size() ? map : every;
  for (const Dims& index : Indices(result_sizes)) {
    EXPECT_EQ(sum.Get<float>(index),
              At(lhs, lhs_map, index) + At(rhs, rhs_map, index));
  }
}

TEST(BroadcastingDocument, MatrixPlusVectorOverRows) {
  EXPECT_EQ(Sum("s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[3] {7, 8, 9}", {1}),
            Text("s32[2,3] {{8, 10, 12}, {11, 13, 15}}"));
  EXPECT_EQ(
      Sum("s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[2,3] {{7, 8, 9}, {7, 8, 9}}"),
      Text("s32[2,3] {{8, 10, 12}, {11, 13, 15}}"));
}

TEST(BroadcastingDocument, MatrixPlusScalar) {
  EXPECT_EQ(Sum("s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[] 7"),
            Text("s32[2,3] {{8, 9, 10}, {11, 12, 13}}"));
}

TEST(BroadcastingDocument, MatrixPlusVectorNeedsDimensions) {
  EXPECT_THAT(Sum("s32[2,3] {{1, 2, 3}, {4, 5, 6}}", "s32[3] {7, 8, 9}"),
              HasSubstr("(implicit_broadcast_c3)"));
}

// |7 8 9| ==> rows or columns of a matrix.
TEST(BroadcastingDocument, VectorBecomesMatrix) {
  const auto spread = [](Dims sizes, int64_t dimension) {
    XlaBuilder b("spread");
    BroadcastInDim(Constant(b, "s32[3] {7, 8, 9}"), sizes, {dimension});
    return BuildAndRun(b);
  };
  EXPECT_EQ(spread({2, 3}, 1), Text("s32[2,3] {{7, 8, 9}, {7, 8, 9}}"));
  EXPECT_EQ(spread({3, 3}, 1),
            Text("s32[3,3] {{7, 8, 9}, {7, 8, 9}, {7, 8, 9}}"));
  EXPECT_EQ(spread({3, 3}, 0),
            Text("s32[3,3] {{7, 7, 7}, {8, 8, 8}, {9, 9, 9}}"));
}

TEST(BroadcastingDocument, SquareMatrixPlusVectorBothWays) {
  constexpr absl::string_view kZeros =
      "s32[3,3] {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}";
  EXPECT_EQ(Sum(kZeros, "s32[3] {7, 8, 9}", {1}),
            Text("s32[3,3] {{7, 8, 9}, {7, 8, 9}, {7, 8, 9}}"));
  EXPECT_EQ(Sum(kZeros, "s32[3] {7, 8, 9}", {0}),
            Text("s32[3,3] {{7, 7, 7}, {8, 8, 8}, {9, 9, 9}}"));
}

TEST(BroadcastingDocument, CuboidPlusMatrix) {
  ExpectSum({2, 3, 4}, {3, 4}, {1, 2}, {2, 3, 4});
}

TEST(BroadcastingDocument, VectorMatchesOneDimensionOfFour) {
  const Dims mnpq = {2, 3, 4, 5};
  for (int64_t dimension : {0, 1, 2, 3}) {
    ExpectSum(mnpq, {mnpq[dimension]}, {dimension}, mnpq);
  }
}

TEST(BroadcastingDocument, MatrixMatchesTwoDimensionsOfFour) {
  const Dims mnpq = {2, 3, 4, 5};
  for (const Dims& pair :
       {Dims{2, 3}, Dims{1, 2}, Dims{0, 3}, Dims{0, 1}, Dims{1, 3}}) {
    ExpectSum(mnpq, {mnpq[pair[0]], mnpq[pair[1]]}, pair, mnpq);
  }
}

TEST(BroadcastingDocument, MatchedSizesMustBeEqual) {
  XlaBuilder b("sum");
  Add(ConstantLiteral(&b, Counting({2, 3, 4, 5})),
      ConstantLiteral(&b, Counting({4})), {3});
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(implicit_broadcast_c7)"));
}

// "Matching V with N and T with P, or V with P and N, is illegal."
TEST(BroadcastingDocument, DimensionsMustIncrease) {
  for (const Dims& order : {Dims{2, 1}, Dims{1, 1}}) {
    XlaBuilder b("sum");
    Add(ConstantLiteral(&b, Counting({2, 3, 3, 5})),
        ConstantLiteral(&b, Counting({3, 3})), order);
    EXPECT_THAT(BuildAndRun(b), HasSubstr("(implicit_broadcast_c5)"));
  }
}

TEST(BroadcastingDocument, DegenerateDimensionsOfEqualRanks) {
  ExpectSum({2, 1}, {2, 3}, {}, {2, 3});
  ExpectSum({1, 2, 5}, {7, 2, 5}, {}, {7, 2, 5});
  ExpectSum({7, 2, 5}, {7, 1, 5}, {}, {7, 2, 5});
}

TEST(BroadcastingDocument, IncompatibleShapes) {
  XlaBuilder b("sum");
  Add(ConstantLiteral(&b, Counting({7, 2, 5})),
      ConstantLiteral(&b, Counting({7, 2, 6})));
  EXPECT_THAT(BuildAndRun(b), HasSubstr("(implicit_broadcast_c7)"));
}

TEST(BroadcastingDocument, OuterOperation) {
  ExpectSum({2, 1}, {1, 3}, {}, {2, 3});
}

TEST(BroadcastingDocument, CompositionOfVectorAndRow) {
  EXPECT_EQ(Sum("s32[4] {1, 2, 3, 4}", "s32[1,2] {{5, 6}}", {0}),
            Text("s32[4,2] {{6, 7}, {7, 8}, {8, 9}, {9, 10}}"));
  // The two steps separately.
  XlaBuilder b("steps");
  const XlaOp matrix =
      BroadcastInDim(Constant(b, "s32[4] {1, 2, 3, 4}"), {4, 2}, {0});
  const XlaOp row =
      BroadcastInDim(Constant(b, "s32[1,2] {{5, 6}}"), {4, 2}, {0, 1});
  Tuple(&b, {matrix, row, Add(matrix, row)});
  EXPECT_EQ(BuildAndRun(b), Text("(s32[4,2], s32[4,2], s32[4,2]) ("
                                 "{{1, 1}, {2, 2}, {3, 3}, {4, 4}}, "
                                 "{{5, 6}, {5, 6}, {5, 6}, {5, 6}}, "
                                 "{{6, 7}, {7, 8}, {8, 9}, {9, 10}})"));
}

TEST(BroadcastingDocument, CompositionOfMatrixAndCuboid) {
  ExpectSum({1, 2}, {4, 3, 1}, {1, 2}, {4, 3, 2});
}

}  // namespace
}  // namespace xla::spec
