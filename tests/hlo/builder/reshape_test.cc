// Collapse, reshape with an order of dimensions, dynamic dimensions, tuples.
#include <string>

#include "gtest/gtest.h"
#include "tests/hlo/builder/builder_testing.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"

namespace xla {
namespace {

constexpr char kCuboid[] =
    "f32[4,2,3] {{{10,11,12},{15,16,17}},{{20,21,22},{25,26,27}},"
    "{{30,31,32},{35,36,37}},{{40,41,42},{45,46,47}}}";
constexpr char kInOrder[] =
    "f32[24] {10,11,12,15,16,17,20,21,22,25,26,27,"
    "30,31,32,35,36,37,40,41,42,45,46,47}";
constexpr char kOutOfOrder[] =
    "f32[24] {10,20,30,40,11,21,31,41,12,22,32,42,"
    "15,25,35,45,16,26,36,46,17,27,37,47}";

// Returns `flat` with other dimensions.
std::string Reshaped(absl::string_view flat,
                     absl::Span<const int64_t> dimensions) {
  return ParseValue(flat).Reshape(dimensions)->ToString();
}

std::string Collapsed(absl::Span<const int64_t> dimensions) {
  XlaBuilder b("collapse");
  Collapse(ConstantOf(&b, kCuboid), dimensions);
  return BuildAndRun(b).ToString();
}

std::string ReshapedInOrder(absl::Span<const int64_t> order,
                            absl::Span<const int64_t> sizes) {
  XlaBuilder b("reshape");
  Reshape(ConstantOf(&b, kCuboid), order, sizes);
  return BuildAndRun(b).ToString();
}

TEST(CollapseTest, AllDimensions) {
  EXPECT_EQ(Collapsed({0, 1, 2}), Reshaped(kInOrder, {24}));
}
TEST(CollapseTest, Dimensions0And1) {
  EXPECT_EQ(Collapsed({0, 1}), Reshaped(kInOrder, {8, 3}));
}
TEST(CollapseTest, Dimensions1And2) {
  EXPECT_EQ(Collapsed({1, 2}), Reshaped(kInOrder, {4, 6}));
}
TEST(CollapseTest, OneDimensionStays) {
  EXPECT_EQ(Collapsed({1}), Reshaped(kInOrder, {4, 2, 3}));
}

TEST(ReshapeTest, InOrder) {
  EXPECT_EQ(ReshapedInOrder({0, 1, 2}, {24}), Reshaped(kInOrder, {24}));
  EXPECT_EQ(ReshapedInOrder({0, 1, 2}, {8, 3}), Reshaped(kInOrder, {8, 3}));
}
TEST(ReshapeTest, OutOfOrder) {
  EXPECT_EQ(ReshapedInOrder({1, 2, 0}, {24}), Reshaped(kOutOfOrder, {24}));
  EXPECT_EQ(ReshapedInOrder({1, 2, 0}, {8, 3}), Reshaped(kOutOfOrder, {8, 3}));
  EXPECT_EQ(ReshapedInOrder({1, 2, 0}, {2, 6, 2}),
            Reshaped(kOutOfOrder, {2, 6, 2}));
}
TEST(ReshapeTest, ArrayOfOneElementAndScalar) {
  XlaBuilder b("reshape");
  Tuple(&b, {Reshape(ConstantOf(&b, "f32[1,1] {{5}}"), {0, 1}, {}),
             Reshape(ConstantOf(&b, "f32[] 5"), {}, {1, 1})});
  EXPECT_EQ(BuildAndRun(b).ToString(),
            ParseValue("(f32[], f32[1,1]) (5, {{5}})").ToString());
}
TEST(ReshapeTest, OrderMustBeAPermutation) {
  for (std::vector<int64_t> order :
       {std::vector<int64_t>{0, 1}, std::vector<int64_t>{0, 0, 1}}) {
    XlaBuilder b("reshape");
    Reshape(ConstantOf(&b, kCuboid), order, {24});
    EXPECT_NE(ErrorOf(b).find("(transpose_c2)"), std::string::npos);
  }
}

std::string DynamicReshapeShape(absl::string_view from,
                                absl::Span<const int64_t> sizes,
                                int64_t inferred = -1) {
  XlaBuilder b("reshape");
  XlaOp x = Parameter(&b, 0, *ShapeUtil::ParseShapeString(from), "x");
  XlaOp y = ReshapeWithInferredDimension(x, sizes, inferred);
  return b.GetShape(y)->ToString();
}

TEST(ReshapeTest, DynamicDimensionsFollowTheirElements) {
  EXPECT_EQ(DynamicReshapeShape("f32[<=4,6]", {4, 2, 3}), "f32[<=4,2,3]");
  EXPECT_EQ(DynamicReshapeShape("f32[2,<=3]", {6}), "f32[<=6]");
  EXPECT_EQ(DynamicReshapeShape("f32[<=6]", {1, 2, 3}), "f32[1,<=2,3]");
  EXPECT_EQ(DynamicReshapeShape("f32[<=6]", {2, 3}, 1), "f32[2,<=3]");
  EXPECT_EQ(DynamicReshapeShape("f32[1,<=5]", {5, 1}), "f32[<=5,1]");
}

TEST(DimensionSizeTest, StaticSizeIsAConstant) {
  XlaBuilder b("size");
  GetDimensionSize(ConstantOf(&b, kCuboid), 2);
  EXPECT_EQ(BuildAndRun(b).ToString(), "s32[] 3");
}
TEST(DimensionSizeTest, RemoveDynamicDimension) {
  XlaBuilder b("size");
  XlaOp x = Parameter(&b, 0, *ShapeUtil::ParseShapeString("f32[<=4,2]"), "x");
  EXPECT_EQ(b.GetShape(RemoveDynamicDimension(x, 0))->ToString(), "f32[4,2]");
  EXPECT_TRUE(ReadAndVerify(*b.Build()).ok());
}

TEST(SelectTest, Tuples) {
  for (bool predicate : {true, false}) {
    XlaBuilder b("select");
    XlaOp t = Tuple(&b, {ConstantOf(&b, "f32[2] {1,2}"),
                         Tuple(&b, {ConstantOf(&b, "s32[] 3")})});
    XlaOp f = Tuple(&b, {ConstantOf(&b, "f32[2] {4,5}"),
                         Tuple(&b, {ConstantOf(&b, "s32[] 6")})});
    Select(ConstantR0<bool>(&b, predicate), t, f);
    EXPECT_EQ(BuildAndRun(b).ToString(),
              ParseValue(predicate ? "(f32[2], (s32[])) ({1,2}, (3))"
                                   : "(f32[2], (s32[])) ({4,5}, (6))")
                  .ToString());
  }
}

TEST(DynamicSliceTest, ScalarsAndVector) {
  XlaBuilder b("slice");
  XlaOp x = ConstantOf(&b, "s32[3,3] {{0,1,2},{3,4,5},{6,7,8}}");
  XlaOp one = ConstantOf(&b, "s32[] 1");
  XlaOp start = ConstantOf(&b, "s32[2] {1,1}");
  XlaOp update = ConstantOf(&b, "s32[1,1] {{9}}");
  Tuple(&b,
        {DynamicSlice(x, {one, one}, {2, 2}), DynamicSlice(x, start, {2, 2}),
         DynamicUpdateSlice(x, update, {one, one}),
         DynamicUpdateSlice(x, update, start),
         DynamicSlice(ConstantOf(&b, "s32[2] {1,2}"), {one}, {1})});
  EXPECT_EQ(BuildAndRun(b).ToString(),
            ParseValue("(s32[2,2], s32[2,2], s32[3,3], s32[3,3], s32[1]) "
                       "({{4,5},{7,8}}, {{4,5},{7,8}}, "
                       "{{0,1,2},{3,9,5},{6,7,8}}, "
                       "{{0,1,2},{3,9,5},{6,7,8}}, {2})")
                .ToString());
}

}  // namespace
}  // namespace xla
