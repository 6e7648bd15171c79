// ShapeUtil, LayoutUtil, IndexUtil and ShapeTree.
#include "xla/core/shape_util.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/core/index_util.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_tree.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(ShapeUtil, Making) {
  EXPECT_EQ(ShapeUtil::MakeShape(F32, {2, 3}), S("f32[2,3]{1,0}"));
  EXPECT_EQ(ShapeUtil::MakeShape(F32, {2, 3}, {true, false}), S("f32[<=2,3]"));
  EXPECT_EQ(ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1}),
            S("f32[2,3]{0,1}"));
  EXPECT_EQ(ShapeUtil::MakeShapeWithType<int64_t>({4}), S("s64[4]"));
  EXPECT_EQ(ShapeUtil::MakeTupleShape({S("f32[]"), S("s32[1]")}),
            S("(f32[], s32[1])"));
  EXPECT_EQ(ShapeUtil::MakeNil(), S("()"));
  EXPECT_EQ(ShapeUtil::MakeTokenShape(), S("token[]"));
  EXPECT_EQ(ShapeUtil::MakeStaticShape(S("(f32[<=2])")), S("(f32[2])"));
  EXPECT_EQ(ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
                S("f32[2,3,4]{0,2,1}")),
            S("f32[3,4,2]{2,1,0}"));
}

TEST(ShapeUtil, MakingFailsWithoutDying) {
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(F32, {-1}).ok());
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(TUPLE, {1}).ok());
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(PRIMITIVE_TYPE_INVALID, {}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShape(F32, {int64_t{1} << 40, 1 << 30}).ok());
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(F32, {1, 2}, {true}).ok());
}

TEST(ShapeUtil, Validation) {
  EXPECT_TRUE(ShapeUtil::ValidateShape(S("(f32[2], token[])")).ok());
  Shape shape = S("f32[2,3]");
  shape.clear_layout();
  EXPECT_FALSE(ShapeUtil::ValidateShape(shape).ok());
  EXPECT_TRUE(ShapeUtil::ValidateShapeWithOptionalLayout(shape).ok());
  shape.mutable_layout()->add_minor_to_major(0);
  EXPECT_FALSE(ShapeUtil::ValidateShapeWithOptionalLayout(shape).ok());
  Shape deep = S("f32[]");
  for (int i = 0; i < 200; ++i) deep = ShapeUtil::MakeTupleShape({deep});
  EXPECT_FALSE(ShapeUtil::ValidateShape(deep).ok());
}

TEST(ShapeUtil, Sizes) {
  EXPECT_EQ(ShapeUtil::ElementsIn(S("f32[2,3]")), 6);
  EXPECT_EQ(ShapeUtil::ElementsIn(S("f32[]")), 1);
  EXPECT_EQ(ShapeUtil::ElementsIn(S("f32[2,0]")), 0);
  EXPECT_EQ(ShapeUtil::ElementsInRecursive(S("(f32[2,3], (s32[], token[]))")),
            7);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(S("f32[2,3]")), 24);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(S("(f32[2,3], s32[])"), 8), 16);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(S("token[]")), 0);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(S("s4[5]{0:E(4)}")), 3);
  EXPECT_THAT(*ShapeUtil::ByteStrides(S("f32[2,3]{0,1}")), ElementsAre(4, 8));
  EXPECT_THAT(*ShapeUtil::ByteStrides(S("f32[2,3]{1,0:T(2,2)}")),
              ElementsAre(12, 4));
  EXPECT_FALSE(ShapeUtil::ByteStrides(S("s4[2,3]{1,0:E(4)}")).has_value());
}

TEST(ShapeUtil, PartsOfTuples) {
  const Shape shape = S("(f32[2], (s32[], pred[3], ()))");
  EXPECT_EQ(ShapeUtil::GetSubshape(shape, {1, 1}), S("pred[3]"));
  EXPECT_FALSE(ShapeUtil::TryGetSubshape(shape, {1, 3}).ok());
  EXPECT_FALSE(ShapeUtil::TryGetSubshape(shape, {0, 0}).ok());
  EXPECT_EQ(ShapeUtil::GetLeafCount(shape), 3);
  EXPECT_EQ(ShapeUtil::SubshapeCount(shape), 6);
  EXPECT_TRUE(ShapeUtil::IsNestedTuple(shape));
  EXPECT_TRUE(ShapeUtil::IsLeafIndex(shape, {0}));
  EXPECT_EQ(ShapeUtil::SliceTuple(shape, 0, 1), S("(f32[2])"));
  std::vector<std::string> seen;
  ShapeUtil::ForEachSubshape(shape, [&](const Shape&, const ShapeIndex& i) {
    seen.push_back(i.ToString());
  });
  EXPECT_THAT(seen, ElementsAre("{}", "{0}", "{1}", "{1,0}", "{1,1}", "{1,2}"));
  Shape changed = shape;
  *ShapeUtil::GetMutableSubshape(&changed, {1, 2}) = S("token[]");
  EXPECT_EQ(changed, S("(f32[2], (s32[], pred[3], token[]))"));
}

TEST(ShapeUtil, ReshapesThatChangeNothing) {
  EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(S("f32[2,3]"), S("f32[6]")));
  EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(S("f32[2,3]"), S("f32[2,1,3]")));
  EXPECT_FALSE(ShapeUtil::ReshapeIsBitcast(S("f32[2,3]{0,1}"), S("f32[6]")));
  EXPECT_TRUE(
      ShapeUtil::ReshapeIsBitcast(S("f32[2,3]{0,1}"), S("f32[2,3,1]{0,2,1}")));
  EXPECT_FALSE(ShapeUtil::ReshapeIsBitcast(S("f32[6]"), S("f32[2,3]{0,1}")));
  EXPECT_TRUE(
      ShapeUtil::ReshapeIsBitcast(S("f32[4,6]{0,1}"), S("f32[4,2,3]{0,2,1}")));
  EXPECT_FALSE(
      ShapeUtil::ReshapeIsBitcast(S("f32[4,6]{0,1}"), S("f32[2,12]{0,1}")));
}

TEST(ShapeUtil, TransposesThatChangeNothing) {
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(S("f32[2,3]{1,0}"),
                                            S("f32[3,2]{0,1}"), {1, 0}));
  EXPECT_FALSE(ShapeUtil::TransposeIsBitcast(S("f32[2,3]{1,0}"),
                                             S("f32[3,2]{1,0}"), {1, 0}));
  const Shape shape = S("f32[2,<=3,4]{0,2,1}");
  const Shape permuted = ShapeUtil::PermuteDimensions({2, 0, 1}, shape);
  EXPECT_EQ(permuted, S("f32[4,2,<=3]{1,0,2}"));
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(shape, permuted, {2, 0, 1}));
  EXPECT_THAT(*ShapeUtil::DeduceTransposeDimensionsForBitcast(shape, permuted),
              ElementsAre(2, 0, 1));
}

TEST(ShapeUtil, UnmodifiedDimensions) {
  EXPECT_THAT(ShapeUtil::DimensionsUnmodifiedByReshape(S("f32[4,6,5]"),
                                                       S("f32[4,2,3,5]")),
              ElementsAre(Pair(0, 0), Pair(2, 3)));
  EXPECT_THAT(
      ShapeUtil::DimensionsUnmodifiedByReshape(S("f32[1,1,4]"), S("f32[1,4]")),
      ElementsAre(Pair(0, 0), Pair(2, 1)));
  EXPECT_FALSE(ShapeUtil::ReshapeLeavesDimensionsUnmodified(S("f32[4,6]"),
                                                            S("f32[6,4]"), {0})
                   .has_value());
  EXPECT_THAT(CommonFactors({6, 4}, {2, 3, 4}),
              ElementsAre(Pair(0, 0), Pair(1, 2), Pair(2, 3)));
  EXPECT_THAT(CommonFactors({}, {}), ElementsAre(Pair(0, 0)));
  EXPECT_THAT(CommonFactors({}, {1}), ElementsAre(Pair(0, 0), Pair(0, 1)));
  EXPECT_THAT(CommonFactors({0, 3}, {4, 0}),
              ElementsAre(Pair(0, 0), Pair(2, 2)));
}

TEST(ShapeUtil, DegenerateDimensions) {
  EXPECT_EQ(ShapeUtil::DropDegenerateDimensions(S("f32[1,3,1,2]{0,1,2,3}")),
            S("f32[3,2]{0,1}"));
  const auto change = ShapeUtil::InsertedOrDeleted1SizedDimensions(
      S("f32[1,3,1,2]"), S("f32[3,2,1]"));
  ASSERT_TRUE(change.has_value());
  EXPECT_THAT(change->deleted_dimensions, ElementsAre(0, 2));
  EXPECT_THAT(change->inserted_dimensions, ElementsAre(2));
  EXPECT_FALSE(
      ShapeUtil::InsertedOrDeleted1SizedDimensions(S("f32[3,2]"), S("f32[2,3]"))
          .has_value());
}

TEST(ShapeUtil, AddingDimensions) {
  EXPECT_EQ(ShapeUtil::PrependMajorDimension(5, S("f32[2,3]{0,1}")),
            S("f32[5,2,3]{1,2,0}"));
  Shape shape = S("f32[2,3]{0,1}");
  ShapeUtil::AppendMajorDimension(5, &shape);
  EXPECT_EQ(shape, S("f32[2,3,5]{0,1,2}"));
  ShapeUtil::AppendMinorDimension(7, &shape);
  EXPECT_EQ(shape, S("f32[2,3,5,7]{3,0,1,2}"));
  EXPECT_EQ(ShapeUtil::MoveDimToMajor(S("f32[2,3,4]{2,1,0}"), 2),
            S("f32[2,3,4]{1,0,2}"));
}

TEST(ShapeUtil, ForEachIndexOrder) {
  std::vector<std::vector<int64_t>> seen;
  const auto note = [&](absl::Span<const int64_t> index) {
    seen.emplace_back(index.begin(), index.end());
    return true;
  };
  ShapeUtil::ForEachIndex(S("f32[2,2]{0,1}"), note);
  EXPECT_THAT(seen, ElementsAre(ElementsAre(0, 0), ElementsAre(1, 0),
                                ElementsAre(0, 1), ElementsAre(1, 1)));
  seen.clear();
  ShapeUtil::ForEachIndex(S("f32[9,9]"), {1, 2}, {3, 4}, {2, 3}, note);
  EXPECT_THAT(seen, ElementsAre(ElementsAre(1, 2), ElementsAre(1, 5),
                                ElementsAre(3, 2), ElementsAre(3, 5)));
  seen.clear();
  ShapeUtil::ForEachIndex(S("f32[]"), note);
  EXPECT_EQ(seen.size(), 1);
  seen.clear();
  ShapeUtil::ForEachIndex(S("f32[3,0]"), note);
  EXPECT_TRUE(seen.empty());
}

TEST(IndexUtil, BothWays) {
  const Shape shape = S("f32[10,20,30]{0,2,1}");
  EXPECT_EQ(IndexUtil::MultidimensionalIndexToLinearIndex(shape, {1, 2, 3}),
            1 + 10 * (3 + 30 * 2));
  EXPECT_THAT(IndexUtil::LinearIndexToMultidimensionalIndex(shape, 631),
              ElementsAre(1, 2, 3));
  EXPECT_EQ(IndexUtil::GetDimensionStride(shape, 1), 300);
  EXPECT_TRUE(IndexUtil::IndexInBounds(shape, {9, 19, 29}));
  EXPECT_FALSE(IndexUtil::IndexInBounds(shape, {9, 20, 29}));
  DimensionVector index = {0, 19, 29};
  EXPECT_TRUE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(1, 0, 0));
  index = {9, 19, 29};
  EXPECT_FALSE(IndexUtil::BumpIndices(shape, absl::MakeSpan(index)));
  EXPECT_THAT(index, ElementsAre(9, 19, 29));
}

TEST(LayoutUtil, Orders) {
  const Layout layout = LayoutUtil::MakeLayout({1, 2, 0});
  EXPECT_EQ(LayoutUtil::Major(layout, 0), 0);
  EXPECT_EQ(LayoutUtil::Minor(layout, 0), 1);
  EXPECT_THAT(LayoutUtil::MakeLogicalToPhysical(layout), ElementsAre(0, 2, 1));
  EXPECT_EQ(LayoutUtil::MakeLayoutFromMajorToMinor({0, 2, 1}), layout);
  EXPECT_TRUE(LayoutUtil::AreDimensionsConsecutive(layout, {2, 0}));
  EXPECT_FALSE(LayoutUtil::AreDimensionsConsecutive(layout, {1, 0}));
}

TEST(LayoutUtil, CopyBetweenShapes) {
  Shape to = S("(f32[2,3], s32[])");
  EXPECT_TRUE(
      LayoutUtil::CopyLayoutBetweenShapes(S("(f32[4,5]{0,1}, f32[])"), &to)
          .ok());
  EXPECT_EQ(to, S("(f32[2,3]{0,1}, s32[])"));
  EXPECT_FALSE(LayoutUtil::CopyLayoutBetweenShapes(S("(f32[4])"), &to).ok());
  EXPECT_FALSE(
      LayoutUtil::CopyLayoutBetweenShapes(S("(f32[4], s32[])"), &to).ok());
}

// The dimension of a split is physical: here the size of 8 is the major one.
TEST(LayoutUtil, SplitsAreOfPhysicalDimensions) {
  EXPECT_EQ(LayoutUtil::MaxElementsInPerSplit(S("f32[100,8]{1,0:SC(0:30)}")),
            70 * 8);
  EXPECT_EQ(LayoutUtil::MaxElementsInPerSplit(S("f32[100,8]{0,1:SC(0:3)}")),
            100 * 5);
}

// Shapes do not count, only elements and where they are.
TEST(ShapeTreeTest, EqualElements) {
  const ShapeTree<int> a(S("(f32[2], s32[])"), 3);
  ShapeTree<int> b(S("(f32[7], pred[])"), 3);
  EXPECT_TRUE(a == b);
  *b.mutable_element({1}) = 4;
  EXPECT_TRUE(a != b);
  EXPECT_TRUE(a != ShapeTree<int>(S("(f32[2])"), 3));
}

TEST(ShapeTree, ElementsAndLeaves) {
  ShapeTree<int> tree(S("(f32[2], (s32[], pred[3]))"), 1);
  *tree.mutable_element({1, 0}) = 5;
  EXPECT_EQ(tree.element({1, 0}), 5);
  int sum = 0, leaves = 0;
  tree.ForEachElement([&](const ShapeIndex&, int value) { sum += value; });
  for (const auto& [index, value] : tree.leaves()) leaves += value;
  EXPECT_EQ(sum, 9);
  EXPECT_EQ(leaves, 7);
  std::vector<std::string> order;
  tree.ForEachElementPostOrder(
      [&](const ShapeIndex& index, int) { order.push_back(index.ToString()); });
  EXPECT_THAT(order, ElementsAre("{1,1}", "{1,0}", "{1}", "{0}", "{}"));
  ShapeTree<std::string> mapped = tree.Map<std::string>(
      [](const int& value) { return std::to_string(value); });
  EXPECT_EQ(mapped.element({1, 0}), "5");
  ShapeTree<int> part = tree.SubShapeTree({1}).value();
  EXPECT_EQ(part.element({0}), 5);
  EXPECT_FALSE(tree.SubShapeTree({2}).ok());
  ShapeTree<std::unique_ptr<int>> movable(S("(f32[2])"));
  EXPECT_EQ(movable.element({0}), nullptr);
}

}  // namespace
}  // namespace xla
