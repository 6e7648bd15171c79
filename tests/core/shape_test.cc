// Shape, Layout and their protos, including hostile ones.
#include "xla/core/shape.h"

#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ShapesDocument, DimensionsInIncreasingNumber) {
  const Shape shape = ShapeUtil::MakeShape(F32, {7, 5, 3});
  EXPECT_THAT(shape.dimensions(), ElementsAre(7, 5, 3));
  EXPECT_EQ(shape.rank(), 3);
}

TEST(ShapesDocument, NegativeDimensionNumbersCountFromTheEnd) {
  const Shape shape = ShapeUtil::MakeShape(F32, {7, 5, 3});
  EXPECT_EQ(ShapeUtil::GetDimension(shape, -1), 3);
  EXPECT_EQ(ShapeUtil::GetDimension(shape, -2), 5);
  EXPECT_EQ(ShapeUtil::GetDimension(shape, 0), 7);
  EXPECT_EQ(ShapeUtil::GetDimensionNumber(shape, -3), 0);
  EXPECT_DEATH(ShapeUtil::GetDimensionNumber(shape, -4),
               "dimension_number >= 0");
  EXPECT_DEATH(ShapeUtil::GetDimensionNumber(shape, 3), "dimension_number <");
}

TEST(ShapesDocument, TrueRankCountsSizesAboveOne) {
  EXPECT_EQ(ShapeUtil::TrueRank(S("f32[1,4,1,2]")), 2);
  EXPECT_EQ(ShapeUtil::TrueNumDimensions(S("f32[]")), 0);
}

TEST(ShapesDocument, DefaultLayoutIsMajorToMinor) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3, 4});
  EXPECT_THAT(shape.layout().minor_to_major(), ElementsAre(2, 1, 0));
  EXPECT_TRUE(LayoutUtil::IsMonotonicWithDim0Major(shape.layout()));
  EXPECT_TRUE(LayoutUtil::IsRowMajorOrUnset(shape));
  EXPECT_TRUE(
      LayoutUtil::IsMonotonicWithDim0Minor(LayoutUtil::MakeLayout({0, 1, 2})));
}

TEST(Shape, DynamicDimensions) {
  Shape shape = S("f32[<=5,3,?]");
  EXPECT_TRUE(shape.is_dynamic());
  EXPECT_TRUE(shape.is_dynamic_dimension(0));
  EXPECT_TRUE(shape.is_bounded_dynamic_dimension(0));
  EXPECT_FALSE(shape.is_dynamic_dimension(1));
  EXPECT_TRUE(shape.is_unbounded_dynamic_dimension(2));
  EXPECT_TRUE(shape.is_unbounded_dynamic());
  EXPECT_TRUE(shape.is_bounded_dynamic());
  shape.set_dimensions(2, 4, false);
  shape.set_dynamic_dimension(0, false);
  EXPECT_TRUE(shape.is_static());
  EXPECT_FALSE(S("(s32[], f32[<=2])").is_static());
}

TEST(Shape, EqualIgnores) {
  const Shape a = S("f32[<=5,3]{1,0:T(2,2)S(1)}");
  EXPECT_EQ(a, a);
  EXPECT_NE(a, S("f32[<=5,3]{1,0:T(2,2)}"));
  EXPECT_TRUE(Shape::Equal().IgnoreMemorySpaceInLayout()(
      a, S("f32[<=5,3]{1,0:T(2,2)}")));
  EXPECT_TRUE(Shape::Equal().MinorToMajorOnlyInLayout()(a, S("f32[<=5,3]")));
  EXPECT_FALSE(
      Shape::Equal().MinorToMajorOnlyInLayout()(a, S("f32[<=5,3]{0,1}")));
  EXPECT_TRUE(Shape::Equal().IgnoreLayout()(a, S("f32[<=5,3]{0,1}")));
  EXPECT_TRUE(
      Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(a, S("f32[5,3]")));
  EXPECT_TRUE(
      Shape::Equal().IgnoreLayout().IgnoreFpPrecision()(a, S("bf16[<=5,3]")));
  EXPECT_FALSE(
      Shape::Equal().IgnoreLayout().IgnoreFpPrecision()(a, S("s32[<=5,3]")));
  EXPECT_TRUE(Shape::Equal().IgnoreBuffer()(S("b(f32[2])"), S("f32[2]")));
  EXPECT_NE(S("(f32[2])"), S("f32[2]"));
  EXPECT_NE(S("(f32[2], s32[])"), S("(f32[2])"));
  EXPECT_TRUE(ShapeUtil::Compatible(S("f32[2,3]{0,1}"), S("f32[2,3]")));
  EXPECT_FALSE(ShapeUtil::CompatibleKind(S("(f32[2])"), S("f32[2]")));
  EXPECT_TRUE(ShapeUtil::CompatibleKind(S("(f32[2])"), S("(s32[3])")));
  EXPECT_FALSE(ShapeUtil::CompatibleKind(S("(f32[2])"), S("(s32[2,2])")));
}

TEST(ShapeTest, DynamicDimensionsMayBeLeftOut) {
  EXPECT_EQ(Shape(F32, {2, 3}, absl::Span<const bool>()), Shape(F32, {2, 3}));
}

TEST(ShapeTest, DeletesDimensionsInAnyOrder) {
  Shape shape = S("f32[2,3,5,7]{3,2,1,0}");
  shape.DeleteDimensions({2, 0});
  EXPECT_EQ(shape, S("f32[3,7]{1,0}"));
  // Those that there are not are ignored, as is a second mention.
  shape.DeleteDimensions({5, 1, 1, -1});
  EXPECT_EQ(shape, S("f32[3]{0}"));
}

TEST(LayoutTest, DeletingADimensionDropsSplits) {
  Layout layout = LayoutUtil::MakeLayout({1, 0});
  layout.add_split_configs(SplitConfig(0, {4}));
  EXPECT_EQ(layout.split_configs_size(), 1);
  layout.DeleteDimension(1);
  EXPECT_EQ(layout.split_configs_size(), 0);
}

TEST(LayoutTest, ThirdArgumentIsTheElementSize) {
  const Layout layout({1, 0}, {Tile({2, 2})}, 4);
  EXPECT_EQ(layout.element_size_in_bits(), 4);
  EXPECT_EQ(layout.tail_padding_alignment_in_elements(), 1);
  EXPECT_EQ(layout.tiles_size(), 1);
  EXPECT_EQ(Layout({1, 0}, {}).element_size_in_bits(), 0);
}

TEST(Shape, HashFollowsEquality) {
  absl::Hash<Shape> hash;
  EXPECT_EQ(hash(S("f32[2,3]{0,1}")), hash(S("f32[2,3]{0,1}")));
  EXPECT_NE(hash(S("f32[2,3]{0,1}")), hash(S("f32[2,3]{1,0}")));
  // The layouts are equal although only one has memory for rare fields.
  Layout plain = LayoutUtil::MakeLayout({1, 0});
  Layout cleared = LayoutUtil::MakeLayout({1, 0}, {Tile({2, 2})});
  cleared.clear_tiles();
  EXPECT_EQ(plain, cleared);
  EXPECT_EQ(absl::Hash<Layout>()(plain), absl::Hash<Layout>()(cleared));
}

TEST(Shape, FingerprintsTellShapesApart) {
  const Shape shapes[] = {Shape(),
                          S("token[]"),
                          S("f32[2,3]"),
                          S("f32[3,2]"),
                          S("f32[2,<=3]"),
                          S("s32[2,3]"),
                          S("f32[2,3]{0,1}"),
                          S("f32[2,3]{1,0:T(2,2)}"),
                          S("(f32[2,3])"),
                          S("((f32[2,3]))"),
                          S("(f32[2,3], ())")};
  absl::flat_hash_set<uint64_t> fingerprints;
  for (const Shape& shape : shapes) {
    EXPECT_TRUE(fingerprints.insert(shape.FingerprintWithLayout()).second);
    EXPECT_EQ(Shape::FromProto(shape.ToProto())->FingerprintWithLayout(),
              shape.FingerprintWithLayout());
  }
}

TEST(Shape, DeleteDimensions) {
  Shape shape = S("f32[2,<=3,4,5]{1,3,0,2}");
  shape.DeleteDimensions({1, 2});
  EXPECT_EQ(shape, S("f32[2,5]{1,0}"));
}

TEST(Layout, CopiesAreIndependent) {
  Layout a = LayoutUtil::MakeLayout({1, 0}, {Tile({2, 2})});
  Layout b = a;
  b.mutable_tiles()->clear();
  EXPECT_EQ(a.tiles_size(), 1);
  a = b;
  EXPECT_EQ(a.tiles_size(), 0);
  *b.mutable_physical_shape() = S("f32[3]");
  Layout c = b;
  EXPECT_EQ(c, b);
  EXPECT_TRUE(Layout::Equal().IgnorePhysicalShape()(a, b));
  EXPECT_NE(a, b);
}

TEST(ShapeProto, EmptyMessageIsTheEmptyShape) {
  EXPECT_EQ(Shape::FromProto(ShapeProto()).value(), Shape());
  EXPECT_FALSE(ShapeUtil::ValidateShape(Shape()).ok());
}

TEST(ShapeProto, HostileMessages) {
  const auto error = [](auto change) {
    ShapeProto proto = S("f32[2,3]{1,0:T(2,2)}").ToProto();
    change(proto);
    absl::StatusOr<Shape> shape = Shape::FromProto(proto);
    EXPECT_FALSE(shape.ok()) << proto.DebugString();
  };
  error([](ShapeProto& p) { p.set_dimensions(0, -1); });
  error([](ShapeProto& p) { p.set_dimensions(0, Shape::kUnboundedSize); });
  error([](ShapeProto& p) { p.add_dimensions(1); });
  error([](ShapeProto& p) { p.set_dimensions(0, int64_t{1} << 62); });
  error([](ShapeProto& p) {
    p.set_element_type(static_cast<PrimitiveType>(999));
  });
  error([](ShapeProto& p) { p.set_element_type(PRIMITIVE_TYPE_INVALID); });
  error([](ShapeProto& p) { p.set_element_type(TUPLE); });
  error([](ShapeProto& p) { p.set_element_type(TOKEN); });
  error([](ShapeProto& p) { p.set_element_type(BUFFER); });
  error([](ShapeProto& p) { p.add_tuple_shapes(); });
  error([](ShapeProto& p) {
    for (int i = 0; i < 9; ++i) p.add_is_dynamic_dimension(true);
  });
  error([](ShapeProto& p) { p.mutable_layout()->set_minor_to_major(0, 0); });
  error([](ShapeProto& p) { p.mutable_layout()->set_minor_to_major(0, -7); });
  error([](ShapeProto& p) { p.mutable_layout()->add_minor_to_major(2); });
  error([](ShapeProto& p) { p.mutable_layout()->set_memory_space(-1); });
  error(
      [](ShapeProto& p) { p.mutable_layout()->set_element_size_in_bits(-1); });
  error([](ShapeProto& p) {
    p.mutable_layout()->mutable_tiles(0)->set_dimensions(0, 0);
  });
  error([](ShapeProto& p) {
    p.mutable_layout()->mutable_tiles(0)->set_dimensions(0, INT64_MAX);
  });
  error([](ShapeProto& p) {
    p.mutable_layout()->set_tail_padding_alignment_in_elements(-1);
  });
  error([](ShapeProto& p) { p.mutable_layout()->add_padded_dimensions(1); });
  error([](ShapeProto& p) {
    p.mutable_layout()->set_padding_value(static_cast<PaddingValue>(77));
  });
  error(
      [](ShapeProto& p) { p.mutable_layout()->set_index_primitive_type(F32); });
  error([](ShapeProto& p) {
    p.mutable_layout()->mutable_physical_shape()->add_dimensions(-1);
  });
  error([](ShapeProto& p) {
    SplitConfigProto& split = *p.mutable_layout()->add_split_configs();
    split.set_dimension(5);
  });
}

TEST(ShapeProto, NestingIsLimited) {
  ShapeProto proto;
  ShapeProto* inner = &proto;
  for (int i = 0; i < 5000; ++i) {
    inner->set_element_type(TUPLE);
    inner = inner->add_tuple_shapes();
  }
  inner->set_element_type(F32);
  EXPECT_THAT(std::string(Shape::FromProto(proto).status().message()),
              HasSubstr("nested"));
}

TEST(ShapeProto, MinusOneInATileCombines) {
  TileProto proto;
  proto.add_dimensions(-1);
  proto.add_dimensions(2);
  EXPECT_EQ(Tile::FromProto(proto).value(), Tile({Tile::kCombineDimension, 2}));
}

}  // namespace
}  // namespace xla
