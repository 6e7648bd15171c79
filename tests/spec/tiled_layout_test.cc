// The worked examples of the tiled layout document: its formula, and tiling as
// pad, reshape and transpose, against the bytes that Relayout writes.
#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/core/layout/relayout.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla::spec {
namespace {

using ::testing::ElementsAre;
using Dims = std::vector<int64_t>;

// The document's linear_index, major dimension first.
int64_t DocumentLinearIndex(const Dims& index, const Dims& sizes) {
  int64_t linear = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    linear = linear * sizes[i] + index[i];
  }
  return linear;
}

// The document's linear_index_with_tile.
int64_t DocumentLinearIndexWithTile(const Dims& index, const Dims& sizes,
                                    const Dims& tile) {
  Dims tile_index, tile_counts, within;
  int64_t tile_elements = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    tile_index.push_back(index[i] / tile[i]);
    tile_counts.push_back((sizes[i] + tile[i] - 1) / tile[i]);
    within.push_back(index[i] % tile[i]);
    tile_elements *= tile[i];
  }
  return DocumentLinearIndex(tile_index, tile_counts) * tile_elements +
         DocumentLinearIndex(within, tile);
}

// Returns the array's elements 1, 2, ... in memory order.
std::vector<float> PaddedMemory(absl::string_view text) {
  const Shape to = ParseShape(text).value();
  const Literal values =
      Counting(Dims(to.dimensions().begin(), to.dimensions().end()), 1);
  std::vector<float> memory(PaddedByteSize(to).value() / sizeof(float), -1);
  const absl::Status done =
      Relayout(values.shape(), values.untyped_data(), to, memory.data());
  EXPECT_TRUE(done.ok()) << done;
  return memory;
}

TEST(TiledLayoutDocument, Figure1Memory) {
  // Rows of tiles, each two rows of two elements, with zeros beyond the array's
  // end.
  EXPECT_THAT(PaddedMemory("f32[3,5]{1,0:T(2,2)}"),
              ElementsAre(1, 2, 6, 7, 3, 4, 8, 9, 5, 0, 10, 0,  //
                          11, 12, 0, 0, 13, 14, 0, 0, 15, 0, 0, 0));
}

TEST(TiledLayoutDocument, Element23) {
  EXPECT_EQ(DocumentLinearIndex({1, 1, 0, 1}, {2, 3, 2, 2}), 17);
  EXPECT_EQ(DocumentLinearIndexWithTile({2, 3}, {3, 5}, {2, 2}), 17);
  EXPECT_EQ(PaddedMemory("f32[3,5]{1,0:T(2,2)}")[17], 2 * 5 + 3 + 1);
}

TEST(TiledLayoutDocument, FormulaForEveryElement) {
  struct Case {
    absl::string_view shape;
    Dims tile;
  };
  for (const Case& c : {Case{"f32[3,5]{1,0:T(2,2)}", {2, 2}},
                        Case{"f32[7,4,9]{2,1,0:T(3,4,2)}", {3, 4, 2}},
                        Case{"f32[4,3,5]{2,1,0:T(2,2)}", {1, 2, 2}},
                        Case{"f32[11]{0:T(4)}", {4}}}) {
    const Shape shape = ParseShape(c.shape).value();
    const Dims sizes(shape.dimensions().begin(), shape.dimensions().end());
    const Tiling tiling = Tiling::Create(shape).value();
    for (const Dims& index : Indices(sizes)) {
      EXPECT_EQ(tiling.LinearIndex(index),
                DocumentLinearIndexWithTile(index, sizes, c.tile))
          << c.shape;
    }
  }
}

TEST(TiledLayoutDocument, WithoutTiles) {
  const Tiling tiling =
      Tiling::Create(ParseShape("f32[2,3,4]{2,1,0}").value()).value();
  for (const Dims& index : Indices({2, 3, 4})) {
    EXPECT_EQ(tiling.LinearIndex(index), DocumentLinearIndex(index, {2, 3, 4}));
  }
}

// Pads to a multiple of the tile, reshapes to (tiles, tile) in each dimension,
// and transposes the tiles before their contents.
TEST(TiledLayoutDocument, TilingIsPadReshapeTranspose) {
  XlaBuilder b("tile");
  PaddingConfig config;
  for (int i = 0; i < 2; ++i) {
    config.add_dimensions()->set_edge_padding_high(1);
  }
  const XlaOp padded = Pad(ConstantLiteral(&b, Counting({3, 5}, 1)),
                           ConstantR0<float>(&b, 0), config);
  Transpose(Reshape(padded, {2, 2, 3, 2}), {0, 2, 1, 3});
  const Literal tiled = RunToLiteral(b);
  EXPECT_THAT(tiled.shape().dimensions(), ElementsAre(2, 3, 2, 2));
  EXPECT_THAT(tiled.data<float>(), ::testing::ElementsAreArray(
                                       PaddedMemory("f32[3,5]{1,0:T(2,2)}")));
  // "Element (e...) is element (e / t..., e mod t...) of the final shape."
  for (const Dims& e : Indices({3, 5})) {
    EXPECT_EQ(tiled.Get<float>({e[0] / 2, e[1] / 2, e[0] % 2, e[1] % 2}),
              e[0] * 5 + e[1] + 1);
  }
}

TEST(TiledLayoutDocument, Figure2Memory) {
  // 2x4 tiles that contain 2x1 tiles: pairs of one column.
  std::vector<float> expected;
  for (int64_t rows : {0, 2}) {
    for (int64_t x = 0; x < 8; ++x) {
      expected.push_back(rows * 8 + x + 1);
      expected.push_back((rows + 1) * 8 + x + 1);
    }
  }
  EXPECT_EQ(PaddedMemory("f32[4,8]{1,0:T(2,4)(2,1)}"), expected);
}

// (8,128)(2,1) of BF16: 32 bits hold two elements of one column.
TEST(TiledLayoutDocument, RepeatedTilesPairHalfWords) {
  const Shape shape = ParseShape("bf16[16,256]{1,0:T(8,128)(2,1)}").value();
  const Tiling tiling = Tiling::Create(shape).value();
  for (const Dims& index : Indices({16, 256})) {
    const int64_t in_tile = DocumentLinearIndexWithTile(
        {index[0] % 8, index[1] % 128}, {8, 128}, {2, 1});
    const int64_t tile = index[0] / 8 * 2 + index[1] / 128;
    ASSERT_EQ(tiling.LinearIndex(index), tile * 8 * 128 + in_tile);
  }
}

// F32[2,7,8,11,10] with (*,*,2,*,3) is F32[112,110] with (2,3).
TEST(TiledLayoutDocument, CombinedDimensions) {
  const Shape shape =
      ParseShape("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}").value();
  const Tiling combined = Tiling::Create(shape).value();
  const Tiling flat =
      Tiling::Create(ParseShape("f32[112,110]{1,0:T(2,3)}").value()).value();
  EXPECT_EQ(combined.padded_element_count(), flat.padded_element_count());
  for (const Dims& i : Indices({2, 7, 8, 11, 10})) {
    ASSERT_EQ(
        combined.LinearIndex(i),
        flat.LinearIndex({(i[0] * 7 + i[1]) * 8 + i[2], i[3] * 10 + i[4]}));
  }
  // "Combined dimensions are -1 in the tile": protos may contain that; in
  // memory it is Tile::kCombineDimension.
  ShapeProto proto = shape.ToProto();
  for (int i : {0, 1, 3}) {
    proto.mutable_layout()->mutable_tiles(0)->set_dimensions(i, -1);
  }
  EXPECT_EQ(Shape::FromProto(proto).value(), shape);
  EXPECT_THAT(shape.layout().tiles(0).dimensions(),
              ElementsAre(Tile::kCombineDimension, Tile::kCombineDimension, 2,
                          Tile::kCombineDimension, 3));
}

}  // namespace
}  // namespace xla::spec
