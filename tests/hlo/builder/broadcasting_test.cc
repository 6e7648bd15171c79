// The worked examples of the broadcasting document, and dynamic sizes.
#include <string>

#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

// Returns lhs + rhs of two constants.
std::string Sum(absl::string_view lhs, absl::string_view rhs,
                absl::Span<const int64_t> broadcast_dimensions = {}) {
  XlaBuilder b("sum");
  Add(ConstantOf(&b, lhs), ConstantOf(&b, rhs), broadcast_dimensions);
  return BuildAndRun(b).ToString();
}

// Returns the shape of lhs + rhs of two parameters, or the error.
std::string SumShape(absl::string_view lhs, absl::string_view rhs,
                     absl::Span<const int64_t> broadcast_dimensions = {}) {
  XlaBuilder b("sum");
  XlaOp x = Parameter(&b, 0, *ShapeUtil::ParseShapeString(lhs), "x");
  XlaOp y = Parameter(&b, 1, *ShapeUtil::ParseShapeString(rhs), "y");
  Add(x, y, broadcast_dimensions);
  absl::StatusOr<XlaComputation> built = b.Build();
  if (!built.ok()) return std::string(built.status().message());
  absl::StatusOr<std::unique_ptr<HloModule>> module = ReadAndVerify(*built);
  if (!module.ok()) return std::string(module.status().message());
  return built->GetProgramShape()->result().ToString();
}

std::string Text(absl::string_view value) {
  return ParseValue(value).ToString();
}

TEST(BroadcastingTest, VectorToEachRowOfMatrix) {
  EXPECT_EQ(Sum("f32[2,3] {{1,2,3},{4,5,6}}", "f32[3] {7,8,9}", {1}),
            Text("f32[2,3] {{8,10,12},{11,13,15}}"));
}

TEST(BroadcastingTest, MatrixAndScalar) {
  EXPECT_EQ(Sum("f32[2,3] {{1,2,3},{4,5,6}}", "f32[] 7"),
            Text("f32[2,3] {{8,9,10},{11,12,13}}"));
  EXPECT_EQ(Sum("f32[] 7", "f32[2,3] {{1,2,3},{4,5,6}}"),
            Text("f32[2,3] {{8,9,10},{11,12,13}}"));
}

TEST(BroadcastingTest, RanksThatDifferNeedDimensions) {
  EXPECT_NE(SumShape("f32[2,3]", "f32[3]").find("(implicit_broadcast_c3)"),
            std::string::npos);
}

TEST(BroadcastingTest, SquareMatrixAndVectorAlongDimension1) {
  EXPECT_EQ(Sum("f32[3,3] {{0,0,0},{0,0,0},{0,0,0}}", "f32[3] {7,8,9}", {1}),
            Text("f32[3,3] {{7,8,9},{7,8,9},{7,8,9}}"));
}

TEST(BroadcastingTest, SquareMatrixAndVectorAlongDimension0) {
  EXPECT_EQ(Sum("f32[3,3] {{0,0,0},{0,0,0},{0,0,0}}", "f32[3] {7,8,9}", {0}),
            Text("f32[3,3] {{7,7,7},{8,8,8},{9,9,9}}"));
}

TEST(BroadcastingTest, CuboidAndMatrixAlongDimensions1And2) {
  EXPECT_EQ(SumShape("f32[2,3,4]", "f32[3,4]", {1, 2}), "f32[2,3,4]");
}

TEST(BroadcastingTest, VectorMatchesEachDimensionOfFour) {
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[5]", {3}), "f32[2,3,4,5]");
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[4]", {2}), "f32[2,3,4,5]");
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[3]", {1}), "f32[2,3,4,5]");
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[2]", {0}), "f32[2,3,4,5]");
}

TEST(BroadcastingTest, MatrixMatchesPairsOfDimensionsOfFour) {
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[4,5]", {2, 3}), "f32[2,3,4,5]");
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[3,4]", {1, 2}), "f32[2,3,4,5]");
  EXPECT_EQ(SumShape("f32[2,3,4,5]", "f32[2,5]", {0, 3}), "f32[2,3,4,5]");
}

TEST(BroadcastingTest, DimensionsMustStrictlyIncrease) {
  EXPECT_NE(SumShape("f32[2,3,3,5]", "f32[3,3]", {2, 1})
                .find("(implicit_broadcast_c5)"),
            std::string::npos);
}

TEST(BroadcastingTest, DegenerateDimensions) {
  EXPECT_EQ(SumShape("f32[2,1]", "f32[2,3]"), "f32[2,3]");
  EXPECT_EQ(SumShape("f32[1,2,5]", "f32[7,2,5]"), "f32[7,2,5]");
  EXPECT_EQ(SumShape("f32[7,2,5]", "f32[7,1,5]"), "f32[7,2,5]");
  EXPECT_NE(
      SumShape("f32[7,2,5]", "f32[7,2,6]").find("(implicit_broadcast_c7)"),
      std::string::npos);
}

TEST(BroadcastingTest, OuterOperation) {
  EXPECT_EQ(Sum("f32[2,1] {{10},{20}}", "f32[1,3] {{1,2,3}}"),
            Text("f32[2,3] {{11,12,13},{21,22,23}}"));
}

TEST(BroadcastingTest, CompositionOfVectorAndRowMatrix) {
  EXPECT_EQ(Sum("f32[4] {1,2,3,4}", "f32[1,2] {{5,6}}", {0}),
            Text("f32[4,2] {{6,7},{7,8},{8,9},{9,10}}"));
}

TEST(BroadcastingTest, CompositionOfMatrixAndCuboid) {
  EXPECT_EQ(SumShape("f32[1,2]", "f32[4,3,1]", {1, 2}), "f32[4,3,2]");
  EXPECT_EQ(Sum("f32[1,2] {{10,20}}",
                "f32[2,3,1] {{{1},{2},{3}},{{4},{5},{6}}}", {1, 2}),
            Text("f32[2,3,2] {{{11,21},{12,22},{13,23}},"
                 "{{14,24},{15,25},{16,26}}}"));
}

TEST(BroadcastingTest, ScalarTakesTheSizesOfDynamicDimensions) {
  EXPECT_EQ(SumShape("f32[<=5,2]", "f32[]"), "f32[<=5,2]");
  EXPECT_EQ(SumShape("f32[1,2]", "f32[<=5,2]"), "f32[<=5,2]");
  EXPECT_EQ(SumShape("f32[<=5]", "f32[3,1]", {1}), "f32[3,<=5]");
}

TEST(BroadcastingTest, ComparisonBroadcastsToo) {
  XlaBuilder b("compare");
  Lt(ConstantOf(&b, "s32[2,2] {{1,2},{3,4}}"), ConstantOf(&b, "s32[2] {2,4}"),
     {1});
  EXPECT_EQ(BuildAndRun(b).ToString(),
            Text("pred[2,2] {{true,true},{false,false}}"));
}

TEST(BroadcastingTest, BroadcastAddsMajorDimensions) {
  XlaBuilder b("broadcast");
  Broadcast(ConstantOf(&b, "s32[2] {1,2}"), {2});
  EXPECT_EQ(BuildAndRun(b).ToString(), Text("s32[2,2] {{1,2},{1,2}}"));
}

TEST(BroadcastingTest, BroadcastInDimMapsDimensions) {
  for (int64_t dimension : {0, 1}) {
    XlaBuilder b("broadcast_in_dim");
    BroadcastInDim(ConstantOf(&b, "s32[2] {1,2}"), {2, 2}, {dimension});
    EXPECT_EQ(BuildAndRun(b).ToString(),
              Text(dimension == 0 ? "s32[2,2] {{1,1},{2,2}}"
                                  : "s32[2,2] {{1,2},{1,2}}"));
  }
}

TEST(BroadcastingTest, BroadcastInDimGrowsDimensionsOfSize1) {
  XlaBuilder b("broadcast_in_dim");
  BroadcastInDim(ConstantOf(&b, "s32[2,1] {{1},{2}}"), {2, 3}, {0, 1});
  EXPECT_EQ(BuildAndRun(b).ToString(), Text("s32[2,3] {{1,1,1},{2,2,2}}"));
}

TEST(BroadcastingTest, BroadcastInDimThatChangesNothingIsAnOp) {
  XlaBuilder b("broadcast_in_dim");
  XlaOp x = ConstantOf(&b, "s32[2] {1,2}");
  Neg(x);
  EXPECT_FALSE(BroadcastInDim(x, {2}, {0}).IsIdenticalTo(x));
  EXPECT_EQ(BuildAndRun(b).ToString(), Text("s32[2] {1,2}"));
}

TEST(BroadcastingTest, SelectAndClampTakeScalars) {
  XlaBuilder b("select");
  XlaOp x = ConstantOf(&b, "s32[3] {1,5,9}");
  Tuple(&b,
        {Select(ConstantOf(&b, "pred[] true"), x, ConstantOf(&b, "s32[] 0")),
         Clamp(ConstantOf(&b, "s32[] 2"), x, ConstantOf(&b, "s32[] 7"))});
  EXPECT_EQ(BuildAndRun(b).ToString(),
            Text("(s32[3], s32[3]) ({1,5,9}, {2,5,7})"));
}

}  // namespace
}  // namespace xla
