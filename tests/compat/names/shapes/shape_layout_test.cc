// Uses every name of xla/shape_layout.h.
#include "xla/shape_layout.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace xla {
namespace {

Shape Array(const Layout& layout) {
  Shape shape(F32, {2, 3});
  *shape.mutable_layout() = layout;
  return shape;
}
Shape Pair(const Shape& a, const Shape& b) {
  return ShapeUtil::MakeTupleShape({a, b});
}

const Layout kRows({1, 0}), kColumns({0, 1}), kTiled({1, 0}, {Tile({2})});

TEST(ShapeLayoutNamesTest, Copies) {
  const ShapeLayout layout(Array(kColumns));
  EXPECT_EQ(layout.shape(), Array(kColumns));
  EXPECT_EQ(layout.layout(), kColumns);
  EXPECT_EQ(layout.ToString(), "f32[2,3]{0,1}");
  StringPrinter printer;
  layout.Print(&printer);
  EXPECT_EQ(std::move(printer).ToString(), "f32[2,3]{0,1}");
  Shape to = Array(kRows), other(F32, {7});
  EXPECT_TRUE(layout.AssignLayoutToShape(&to).ok());
  EXPECT_EQ(to, Array(kColumns));
  EXPECT_FALSE(layout.AssignLayoutToShape(&other).ok());
  ShapeLayout from(Array(kRows));
  EXPECT_TRUE(from == ShapeLayout(Array(kRows)));
  EXPECT_TRUE(from != layout);
  EXPECT_TRUE(from.CopyLayoutFromShape(to).ok());
  EXPECT_TRUE(from == layout);
  EXPECT_EQ(from.CopyLayoutFromShape(other).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShapeLayoutNamesTest, Matches) {
  const ShapeLayout rows(Array(kRows));
  EXPECT_TRUE(rows.MatchesLayoutInShape(Array(kRows)));
  EXPECT_FALSE(rows.MatchesLayoutInShape(Array(kColumns)));
  EXPECT_FALSE(rows.MatchesLayoutInShape(Shape(F32, {3})));
  const Shape tiled = Array(kTiled);
  EXPECT_FALSE(rows.MatchesLayoutInShape(tiled));
  EXPECT_TRUE(rows.MatchesLayoutInShape(tiled, /*minor_to_major_only=*/true));
  EXPECT_TRUE(rows.MatchesLayoutInShape(tiled, false,
                                        /*ignore_fully_empty_tiling=*/true));
  EXPECT_FALSE(ShapeLayout(Array(Layout({1, 0}, {Tile({4})})))
                   .MatchesLayoutInShape(tiled, false, true));
}

TEST(ShapeLayoutNamesTest, Changes) {
  ShapeLayout layout(Pair(Array(kTiled), Array(kTiled)));
  EXPECT_TRUE(layout.LayoutIsSet() && layout.AnyLayoutIsSet());
  layout.ClearTiles({1});
  EXPECT_EQ(layout.shape(), Pair(Array(kTiled), Array(kRows)));
  layout.ClearTiles();
  EXPECT_EQ(layout.shape(), Pair(Array(kRows), Array(kRows)));
  layout.Clear({0});
  EXPECT_FALSE(layout.LayoutIsSet());
  EXPECT_TRUE(layout.AnyLayoutIsSet());
  layout.Clear();
  EXPECT_FALSE(layout.AnyLayoutIsSet());
  layout.SetToDefaultLayout();
  layout.ResetLayout(kColumns, {1});
  EXPECT_EQ(layout.shape(), Pair(Array(kRows), Array(kColumns)));
  ShapeLayout array(Array(kRows));
  array.ResetLayout(kColumns);
  EXPECT_EQ(array.layout(), kColumns);
  ShapeLayout dynamic(ShapeUtil::MakeShape(F32, {2}, {true}));
  dynamic.ClearDynamicShape();
  EXPECT_TRUE(dynamic.shape().is_static());
}

}  // namespace
}  // namespace xla
