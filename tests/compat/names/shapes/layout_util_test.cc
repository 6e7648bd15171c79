// Uses every name of xla/layout_util.h.
#include "xla/layout_util.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Shape Array(absl::Span<const int64_t> sizes, const Layout& layout) {
  Shape shape(F32, sizes);
  *shape.mutable_layout() = layout;
  return shape;
}

TEST(LayoutUtilNamesTest, Factories) {
  EXPECT_EQ(LayoutUtil::MakeLayout({0, 1}), Layout({0, 1}));
  EXPECT_EQ(LayoutUtil::MakeLayout({1, 0}, {Tile({2, 2})}, 4, U32, U64, 16, 5,
                                   {SplitConfig(0, {1})}, Shape(S8, {3}), 8)
                .ToString(),
            "{1,0:T(2,2)L(4)#(u32)*(u64)E(16)S(5)SC(0:1)P(s8[3])M(8)}");
  EXPECT_FALSE(LayoutUtil::MakeLayout({0}, {}, 1, PRIMITIVE_TYPE_INVALID,
                                      PRIMITIVE_TYPE_INVALID, 0, 0, {},
                                      std::nullopt)
                   .has_physical_shape());
  EXPECT_EQ(LayoutUtil::MakeLayoutFromMajorToMinor({1, 0, 2}),
            Layout({2, 0, 1}));
  EXPECT_EQ(LayoutUtil::MakeDescendingLayout(3), Layout({2, 1, 0}));
  EXPECT_EQ(LayoutUtil::MakeAscendingLayout(3), Layout({0, 1, 2}));
  EXPECT_TRUE(LayoutUtil::HasDescendingLayout(Layout({2, 1, 0})));
  EXPECT_FALSE(LayoutUtil::HasDescendingLayout(Layout({1, 2, 0})));
  EXPECT_TRUE(LayoutUtil::HasAscendingLayout(Layout({0, 1})));
  EXPECT_FALSE(LayoutUtil::HasAscendingLayout(Layout({1, 0})));
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForShape(Shape(F32, {5, 6})),
            Layout({1, 0}));
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForShape(Shape(TOKEN)), Layout());
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForRank(1), Layout({0}));
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForR2(), Layout({1, 0}));
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForR3(), Layout({2, 1, 0}));
  EXPECT_EQ(LayoutUtil::GetDefaultLayoutForR4(), Layout({3, 2, 1, 0}));
}

TEST(LayoutUtilNamesTest, Setters) {
  const Shape bare(F32, {2, 3});
  Shape shape(std::vector<Shape>{bare, Shape(TOKEN)});
  EXPECT_FALSE(LayoutUtil::HasLayout(shape));
  LayoutUtil::SetToDefaultLayout(&shape);
  EXPECT_EQ(shape.ToString(true), "(f32[2,3]{1,0}, token[])");
  EXPECT_TRUE(LayoutUtil::HasLayout(shape));
  EXPECT_EQ(LayoutUtil::GetWithDefaultLayout(Array({2, 3}, Layout({0, 1}))),
            shape.tuple_shapes(0));
  shape.mutable_tuple_shapes(0)->mutable_layout()->add_tiles();
  LayoutUtil::ClearTiles(&shape);
  EXPECT_EQ(shape.ToString(true), "(f32[2,3]{1,0}, token[])");
  LayoutUtil::ClearLayout(&shape);
  EXPECT_FALSE(LayoutUtil::HasLayout(shape));

  ProgramShape program;
  program.AddParameter(bare, "x");
  *program.mutable_result() = bare;
  LayoutUtil::SetToDefaultLayout(&program);
  EXPECT_TRUE(LayoutUtil::HasLayout(program));
  EXPECT_EQ(program.result().layout(), Layout({1, 0}));
  LayoutUtil::ClearLayout(&program);
  EXPECT_FALSE(LayoutUtil::HasLayout(program));
  EXPECT_EQ(program.parameters(0), bare);
}

TEST(LayoutUtilNamesTest, HasLayouts) {
  const Shape with = Array({2}, Layout({0})), without(F32, {2});
  const Shape both(std::vector<Shape>{with, without});
  EXPECT_FALSE(LayoutUtil::HasLayout(both));
  EXPECT_TRUE(LayoutUtil::HasAnyLayout(both));
  EXPECT_FALSE(LayoutUtil::HasAnyLayout(without));
  EXPECT_FALSE(LayoutUtil::HasAnyLayout(Shape(std::vector<Shape>{})));
  EXPECT_TRUE(LayoutUtil::HasLayout(Shape(TOKEN)));
  EXPECT_TRUE(LayoutUtil::HasAnyLayout(Shape(TOKEN)));
  EXPECT_FALSE(LayoutUtil::HasCustomElementSizeInBits(both));
  EXPECT_TRUE(LayoutUtil::HasCustomElementSizeInBits(
      Shape(std::vector<Shape>{without, Array({2}, Layout({0}, {}, 4))})));
}

TEST(LayoutUtilNamesTest, Validation) {
  const Shape bare(F32, {2, 3});
  EXPECT_FALSE(LayoutUtil::ValidateLayoutInShape(bare).ok());
  EXPECT_TRUE(
      LayoutUtil::ValidateLayoutInShape(bare, /*allow_missing_layouts=*/true)
          .ok());
  EXPECT_FALSE(LayoutUtil::ValidateLayoutInShape(
                   Shape(std::vector<Shape>{Array({2}, Layout({1}))}), true)
                   .ok());
  EXPECT_TRUE(LayoutUtil::ValidateLayoutForShape(Layout({0, 1}), bare).ok());
  for (const Layout& bad :
       {Layout({0}), Layout({0, 2}), Layout({0, 0}),
        Layout({0, 1}, {Tile({0})}), Layout({0, 1}, {Tile()})}) {
    const absl::Status status = LayoutUtil::ValidateLayoutForShape(bad, bare);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("layout"));
  }
  EXPECT_FALSE(
      LayoutUtil::ValidateLayoutForShape(Layout(), Shape(std::vector<Shape>{}))
          .ok());
  EXPECT_TRUE(LayoutUtil::ValidateLayoutForShape(Layout(), Shape(TOKEN)).ok());
}

TEST(LayoutUtilNamesTest, Orders) {
  const Layout layout({1, 2, 0});
  const Shape shape = Array({2, 3, 5}, layout);
  EXPECT_TRUE(LayoutUtil::IsDenseArray(shape));
  EXPECT_FALSE(LayoutUtil::IsDenseArray(Shape(TOKEN)));
  EXPECT_TRUE(LayoutUtil::IsMonotonicWithDim0Minor(Layout({0, 1, 2})));
  EXPECT_FALSE(LayoutUtil::IsMonotonicWithDim0Minor(layout));
  EXPECT_TRUE(LayoutUtil::IsMonotonicWithDim0Major(Layout({2, 1, 0})));
  EXPECT_TRUE(LayoutUtil::IsMonotonicWithDim0Major(Layout({0})));
  EXPECT_FALSE(LayoutUtil::IsMonotonicWithDim0Major(layout));
  EXPECT_THAT(LayoutUtil::MinorToMajor(shape), ElementsAre(1, 2, 0));
  EXPECT_THAT(LayoutUtil::MinorToMajor(layout), ElementsAre(1, 2, 0));
  EXPECT_EQ(LayoutUtil::Major(layout, 0), 0);
  EXPECT_EQ(LayoutUtil::Major(layout, 2), 1);
  EXPECT_EQ(LayoutUtil::Minor(layout, 1), 2);
  EXPECT_THAT(LayoutUtil::MakeLogicalToPhysical(layout), ElementsAre(0, 2, 1));
  EXPECT_EQ(LayoutUtil::MoveDimToMajor(layout, 2), Layout({1, 0, 2}));
  EXPECT_EQ(LayoutUtil::MoveDimToMinor(layout, 0), Layout({0, 1, 2}));
  EXPECT_TRUE(LayoutUtil::AreDimensionsConsecutive(layout, {0, 2}));
  EXPECT_FALSE(LayoutUtil::AreDimensionsConsecutive(layout, {0, 1}));
  EXPECT_EQ(LayoutUtil::HumanString(layout), "{1,2,0}");
  StringPrinter printer;
  LayoutUtil::PrintHumanString(&printer, layout);
  EXPECT_EQ(std::move(printer).ToString(), "{1,2,0}");
}

TEST(LayoutUtilNamesTest, Comparisons) {
  const Layout a({1, 0}), tiled({1, 0}, {Tile({2, 2})});
  EXPECT_TRUE(LayoutUtil::Equal(a, Layout({1, 0})));
  EXPECT_FALSE(LayoutUtil::Equal(a, tiled));
  const Shape x = Array({2, 3}, a), y = Array({4, 5}, a);
  const Shape t = Array({2, 3}, tiled);
  EXPECT_TRUE(LayoutUtil::LayoutsInShapesEqual(x, y));
  EXPECT_FALSE(LayoutUtil::LayoutsInShapesEqual(x, t));
  EXPECT_TRUE(
      LayoutUtil::LayoutsInShapesEqual(x, t, Layout::Equal().IgnoreTiles()));
  EXPECT_FALSE(LayoutUtil::LayoutsInShapesEqual(x, Shape(F32, {2, 3})));
  EXPECT_TRUE(LayoutUtil::LayoutsInShapesEqual(ShapeUtil::MakeTupleShape({x}),
                                               ShapeUtil::MakeTupleShape({y})));
  EXPECT_FALSE(LayoutUtil::LayoutsInShapesEqual(
      ShapeUtil::MakeTupleShape({x}), ShapeUtil::MakeTupleShape({y, y})));

  Shape to({Shape(F32, {7, 8}), Shape(TOKEN)});
  const Shape from({Array({2, 3}, Layout({0, 1})), Shape(TOKEN)});
  EXPECT_TRUE(LayoutUtil::CopyLayoutBetweenShapes(from, &to).ok());
  EXPECT_EQ(to.ToString(true), "(f32[7,8]{0,1}, token[])");
  EXPECT_FALSE(LayoutUtil::CopyLayoutBetweenShapes(x, &to).ok());
}

TEST(LayoutUtilNamesTest, Positions) {
  const Shape rows = Array({3, 5}, Layout({1, 0}));
  EXPECT_EQ(LayoutUtil::LinearIndex(rows, {2, 3}), 13);
  const Shape tiled = Array({3, 5}, Layout({1, 0}, {Tile({2, 2})}));
  EXPECT_EQ(LayoutUtil::LinearIndex(tiled, {2, 3}), 17);
  // Only the first tile counts.
  const Shape twice =
      Array({3, 5}, Layout({1, 0}, {Tile({2, 2}), Tile({2, 1})}));
  EXPECT_EQ(LayoutUtil::LinearIndex(twice, {2, 3}), 17);
  for (int64_t row = 0; row < 3; ++row) {
    const int64_t at = LayoutUtil::LinearIndexForNestedTiling(twice, {row, 3});
    EXPECT_EQ(at, 4 + (row / 2) * 12 + 2 + row % 2);
    EXPECT_EQ(LayoutUtil::DelinearizeIndexForNestedTiling(twice, at),
              std::vector<int64_t>({row, 3}));
  }
  EXPECT_EQ(LayoutUtil::MemorySpace(rows), 0);
  EXPECT_EQ(
      LayoutUtil::MemorySpace(Array({3}, Layout({0}).set_memory_space(5))), 5);
  EXPECT_TRUE(LayoutUtil::ByteStridesIsMajorToMinor({20, 4}, {3, 5}, F32));
  EXPECT_FALSE(LayoutUtil::ByteStridesIsMajorToMinor({4, 12}, {3, 5}, F32));
  EXPECT_TRUE(LayoutUtil::IsUntiledLayout({}, {3, 5}));
  EXPECT_TRUE(LayoutUtil::IsUntiledLayout({Tile({8, 128})}, {16, 128}));
  EXPECT_FALSE(LayoutUtil::IsUntiledLayout({Tile({8, 128})}, {16, 256}));
}

// The dimension of a split is the physical one: 0 is the most major.
TEST(LayoutUtilNamesTest, Splits) {
  const Shape rows =
      Array({10, 4}, Layout({1, 0}).add_split_configs(SplitConfig(0, {2, 7})));
  EXPECT_EQ(LayoutUtil::MaxSplitSize(rows, 0), 5);
  EXPECT_EQ(LayoutUtil::MaxSplitSize(rows, 1), 4);
  EXPECT_EQ(LayoutUtil::MaxElementsInPerSplit(rows), 20);
  EXPECT_EQ(LayoutUtil::GetSplitConfig(rows), SplitConfig(0, {2, 7}));
  const Shape columns =
      Array({10, 4}, Layout({0, 1}).add_split_configs(SplitConfig(0, {1})));
  EXPECT_EQ(LayoutUtil::MaxSplitSize(columns, 0), 10);
  EXPECT_EQ(LayoutUtil::MaxSplitSize(columns, 1), 3);
  EXPECT_EQ(LayoutUtil::GetSplitConfig(Array({3}, Layout({0}))), std::nullopt);
  const auto error = [](std::vector<SplitConfig> splits) {
    Layout layout({1, 0});
    for (const SplitConfig& split : splits) layout.add_split_configs(split);
    return std::string(LayoutUtil::ValidateLayoutForShape(
                           layout, ShapeUtil::MakeShape(F32, {10, 4}))
                           .message());
  };
  EXPECT_EQ(error({SplitConfig(0, {2, 7}), SplitConfig(1, {3})}), "");
  EXPECT_THAT(error({SplitConfig(2, {1})}), HasSubstr("out-of-bounds"));
  EXPECT_THAT(error({SplitConfig(0, {2}), SplitConfig(0, {7})}),
              HasSubstr("duplicate"));
  EXPECT_THAT(error({SplitConfig(0, {7, 2})}), HasSubstr("increasing"));
  EXPECT_THAT(error({SplitConfig(0, {0, 2})}), HasSubstr("positive"));
  EXPECT_THAT(error({SplitConfig(1, {4})}), HasSubstr("out of bounds"));
}

}  // namespace
}  // namespace xla
