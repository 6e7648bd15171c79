// Uses every name of xla/layout.h.
#include "xla/layout.h"

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/shape.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <typename T>
std::string Printed(const T& value) {
  StringPrinter printer;
  value.Print(&printer);
  std::string text = std::move(printer).ToString();
  EXPECT_EQ(value.ToString(), text);
  std::ostringstream stream;
  stream << value;
  EXPECT_EQ(stream.str(), text);
  return text;
}

TEST(LayoutNamesTest, Tiles) {
  Tile tile({2, 3});
  EXPECT_THAT(tile.dimensions(), ElementsAre(2, 3));
  EXPECT_EQ(tile.dimension(1), 3);
  EXPECT_EQ(Printed(tile), "(2,3)");
  TileProto proto;
  proto.add_dimensions(9);
  tile.ToProto(proto);
  EXPECT_THAT(proto.dimensions(), ElementsAre(2, 3));
  EXPECT_EQ(tile.ToProto().dimensions_size(), 2);
  EXPECT_EQ(Tile::FromProto(proto).value(), tile);
  proto.set_dimensions(0, -7);
  EXPECT_FALSE(Tile::FromProto(proto).ok());
  EXPECT_EQ(absl::Hash<Tile>()(tile), absl::Hash<Tile>()(Tile({2, 3})));
  EXPECT_EQ(&tile.clear_dimensions().add_dimensions(Tile::kCombineDimension),
            &tile);
  tile.add_dimensions(4);
  EXPECT_EQ(Printed(tile), "(*,4)");
  EXPECT_NE(tile, Tile());
  const TileVector tiles = {Tile({8, 128}), Tile({2, 1})};
  EXPECT_EQ(Layout({1, 0}, tiles).tiles(), absl::MakeConstSpan(tiles));
}

TEST(LayoutNamesTest, Splits) {
  SplitConfig split(1, {4, 8});
  EXPECT_EQ(split.dimension(), 1);
  EXPECT_THAT(split.split_indices(), ElementsAre(4, 8));
  EXPECT_EQ(split.split_indices(int64_t{1}), 8);
  EXPECT_EQ(split.split_indices_size(), 2);
  EXPECT_EQ(split.ToString(), "(1:4,8)");
  SplitConfigProto proto;
  proto.add_split_indices(100);
  split.ToProto(proto);
  EXPECT_THAT(proto.split_indices(), ElementsAre(4, 8));
  EXPECT_EQ(split.ToProto().dimension(), 1);
  EXPECT_EQ(SplitConfig::CreateFromProto(proto), split);
  EXPECT_EQ(absl::Hash<SplitConfig>()(split),
            absl::Hash<SplitConfig>()(SplitConfig::CreateFromProto(proto)));
  split.set_dimension(0).clear_split_indices().add_split_indices(3);
  EXPECT_EQ(split.ToString(), "(0:3)");
  EXPECT_NE(split, SplitConfig(0, {4}));
}

TEST(LayoutNamesTest, Constructors) {
  EXPECT_EQ(Layout().ToString(), "{}");
  EXPECT_EQ(Layout({0, 1}).ToString(), "{0,1}");
  EXPECT_EQ(Layout({0, 1}, {Tile({2})}).ToString(), "{0,1:T(2)}");
  EXPECT_EQ(Layout({0, 1}, {}, 4).ToString(), "{0,1:E(4)}");
  EXPECT_EQ(Layout({0, 1}, {}, U32).ToString(), "{0,1:#(u32)}");
  const Layout full({1, 0}, {Tile({2, 2})}, U32, U64,
                    /*tail_padding_alignment_in_elements=*/4,
                    /*element_size_in_bits=*/16, /*memory_space=*/5,
                    {SplitConfig(0, {1})},
                    std::make_unique<Shape>(S8, absl::Span<const int64_t>{3}),
                    /*dynamic_shape_metadata_prefix_bytes=*/8);
  EXPECT_EQ(Printed(full),
            "{1,0:T(2,2)L(4)#(u32)*(u64)E(16)S(5)SC(0:1)P(s8[3])M(8)}");
  Layout copy(full), assigned, moved;
  assigned = copy;
  EXPECT_EQ(assigned, full);
  moved = std::move(copy);
  EXPECT_EQ(moved.ToString(), full.ToString());
  EXPECT_EQ(Layout(std::move(moved)), full);
  Layout other({0});
  other.Swap(&assigned);
  EXPECT_EQ(other, full);
  EXPECT_EQ(assigned, Layout({0}));
  other.Clear();
  EXPECT_EQ(other, Layout());
}

TEST(LayoutNamesTest, Protos) {
  const Layout layout({1, 0}, {Tile({2, 2})}, 16);
  LayoutProto proto;
  proto.add_minor_to_major(7);
  layout.ToProto(proto);
  EXPECT_THAT(proto.minor_to_major(), ElementsAre(1, 0));
  EXPECT_EQ(layout.ToProto().SerializeAsString(), proto.SerializeAsString());
  EXPECT_EQ(Layout::FromProto(proto).value(), layout);
  const Layout old = Layout::CreateFromProto(proto);
  EXPECT_EQ(old, layout);
  proto.set_tail_padding_alignment_in_elements(-1);
  EXPECT_FALSE(Layout::FromProto(proto).ok());
}

TEST(LayoutNamesTest, Orders) {
  Layout layout;
  layout.add_minor_to_major(2).add_minor_to_major(0).add_minor_to_major(1);
  EXPECT_EQ(layout.minor_to_major_size(), 3);
  EXPECT_EQ(layout.minor_to_major(0), 2);
  EXPECT_THAT(layout.minor_to_major(), ElementsAre(2, 0, 1));
  layout.set_minor_to_major(0, 1).set_minor_to_major(2, 2);
  layout.mutable_minor_to_major()->push_back(3);
  EXPECT_THAT(layout.minor_to_major(), ElementsAre(1, 0, 2, 3));
  EXPECT_EQ(&layout.DeleteDimension(0), &layout);
  EXPECT_THAT(layout.minor_to_major(), ElementsAre(0, 1, 2));
  EXPECT_THAT(layout.clear_minor_to_major().minor_to_major(), IsEmpty());
}

TEST(LayoutNamesTest, Properties) {
  Layout layout({1, 0});
  EXPECT_EQ(layout.tiles_size(), 0);
  *layout.add_tiles() = Tile({4});
  layout.mutable_tiles(0)->add_dimensions(2);
  layout.mutable_tiles()->push_back(Tile({2, 1}));
  EXPECT_EQ(layout.tiles_size(), 2);
  EXPECT_EQ(layout.tiles(1), Tile({2, 1}));
  EXPECT_THAT(layout.tiles(), ElementsAre(Tile({4, 2}), Tile({2, 1})));
  EXPECT_THAT(layout.clear_tiles().tiles(), IsEmpty());

  EXPECT_EQ(layout.element_size_in_bits(), 0);
  EXPECT_EQ(layout.set_element_size_in_bits(4).element_size_in_bits(), 4);
  EXPECT_EQ(layout.tail_padding_alignment_in_elements(), 1);
  EXPECT_EQ(layout.set_tail_padding_alignment_in_elements(8)
                .tail_padding_alignment_in_elements(),
            8);
  EXPECT_EQ(layout.index_primitive_type(), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(layout.set_index_primitive_type(U16).index_primitive_type(), U16);
  EXPECT_EQ(layout.pointer_primitive_type(), PRIMITIVE_TYPE_INVALID);
  EXPECT_EQ(layout.set_pointer_primitive_type(U32).pointer_primitive_type(),
            U32);
  EXPECT_EQ(layout.memory_space(), Layout::kDefaultMemorySpace);
  EXPECT_EQ(layout.set_memory_space(Layout::kHostMemorySpace).memory_space(),
            5);
  EXPECT_EQ(Layout::kGenericFastMemorySpace, 1);
  EXPECT_EQ(layout.dynamic_shape_metadata_prefix_bytes(), 0);
  EXPECT_EQ(layout.set_dynamic_shape_metadata_prefix_bytes(16)
                .dynamic_shape_metadata_prefix_bytes(),
            16);

  EXPECT_EQ(layout.split_configs_size(), 0);
  layout.add_split_configs(SplitConfig(0, {1}))
      .add_split_configs(SplitConfig(1, {2}));
  layout.mutable_split_configs(1)->set_dimension(0);
  EXPECT_EQ(layout.split_configs(1), SplitConfig(0, {2}));
  EXPECT_EQ(layout.split_configs().size(), 2u);
  layout.clear_split_configs();
  EXPECT_EQ(layout.split_configs_size(), 0);

  EXPECT_FALSE(layout.has_physical_shape());
  layout.mutable_physical_shape()->set_element_type(F32);
  EXPECT_TRUE(layout.has_physical_shape());
  EXPECT_EQ(layout.physical_shape(), Shape(F32, {}));
  layout.clear_physical_shape();
  EXPECT_FALSE(layout.has_physical_shape());
}

// Each setter makes one pair of different layouts the same.
TEST(LayoutNamesTest, Equal) {
  using E = Layout::Equal;
  const Layout a({1, 0});
  std::vector<std::pair<E, Layout>> same = {
      {E().IgnoreTiles(), Layout({1, 0}, {Tile({2})})},
      {E().IgnoreElementSize(), Layout({1, 0}, {}, 4)},
      {E().IgnoreIndexPrimitiveType(), Layout({1, 0}, {}, U8)},
      {E().IgnorePointerPrimitiveType(),
       Layout({1, 0}, {}, PRIMITIVE_TYPE_INVALID, U8)},
      {E().IgnoreTailPaddingAlignmentInElements(),
       Layout(a).set_tail_padding_alignment_in_elements(2)},
      {E().IgnoreMemorySpace(), Layout(a).set_memory_space(1)},
      {E().IgnoreSplitConfigs(),
       Layout(a).add_split_configs(SplitConfig(0, {1}))},
  };
  Layout physical = a;
  physical.mutable_physical_shape()->set_element_type(F32);
  same.emplace_back(E().IgnorePhysicalShape(), physical);
  EXPECT_TRUE(E()(a, a));
  for (auto& [equal, b] : same) {
    EXPECT_NE(a, b);
    EXPECT_FALSE(E()(a, b)) << b;
    EXPECT_TRUE(equal(a, b)) << b;
    EXPECT_TRUE(E().MinorToMajorOnly()(a, b)) << b;
    EXPECT_FALSE(equal(Layout({0, 1}), b)) << b;
  }
  EXPECT_EQ(a, Layout(a).set_dynamic_shape_metadata_prefix_bytes(4));
}

TEST(LayoutNamesTest, Hash) {
  const absl::Hash<Layout> hash;
  EXPECT_EQ(hash(Layout({1, 0})), hash(Layout({1, 0}, {})));
  EXPECT_NE(hash(Layout({1, 0})), hash(Layout({0, 1})));
  EXPECT_NE(hash(Layout({1, 0})), hash(Layout({1, 0}, {Tile({2})})));
}

}  // namespace
}  // namespace xla
