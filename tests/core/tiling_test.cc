// The worked examples of the tiled layout document and of the padding section
// of the shapes document, and data moved between layouts.
#include "xla/core/layout/tiling.h"

#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/core/layout/relayout.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tiling T(absl::string_view text) { return Tiling::Create(S(text)).value(); }

// Checks that every element has its own position, which MultiIndex inverts.
void ExpectBijective(absl::string_view text) {
  const Shape shape = S(text);
  const Tiling tiling = Tiling::Create(shape).value();
  std::vector<int> uses(tiling.padded_element_count(), 0);
  ShapeUtil::ForEachIndexNoStatus(shape, [&](absl::Span<const int64_t> index) {
    const int64_t linear = tiling.LinearIndex(index);
    EXPECT_GE(linear, 0);
    EXPECT_LT(linear, static_cast<int64_t>(uses.size()));
    ++uses[linear];
    DimensionVector back(shape.rank());
    EXPECT_TRUE(tiling.MultiIndex(linear, absl::MakeSpan(back)));
    EXPECT_EQ(absl::MakeConstSpan(back), index);
    return true;
  });
  for (size_t i = 0; i < uses.size(); ++i) {
    DimensionVector index(shape.rank());
    EXPECT_EQ(tiling.MultiIndex(i, absl::MakeSpan(index)), uses[i] == 1)
        << text << " at " << i;
  }
}

TEST(TiledLayoutDocument, Figure1TwoByTwoTiles) {
  const Tiling tiling = T("f32[3,5]{1,0:T(2,2)}");
  EXPECT_THAT(tiling.physical_dimensions(), ElementsAre(2, 3, 2, 2));
  EXPECT_EQ(tiling.padded_element_count(), 24);
  EXPECT_EQ(PaddedByteSize(S("f32[3,5]{1,0:T(2,2)}")).value(), 96);
}

TEST(TiledLayoutDocument, LinearIndexWithTileOfElement23) {
  const Tiling tiling = T("f32[3,5]{1,0:T(2,2)}");
  EXPECT_THAT(tiling.PhysicalIndex({2, 3}), ElementsAre(1, 1, 0, 1));
  // linear_index((1,1),(2,3)) * 2*2 + linear_index((0,1),(2,2)).
  EXPECT_EQ(tiling.LinearIndex({2, 3}), 4 * 4 + 1);
  EXPECT_EQ(LayoutUtil::LinearIndex(S("f32[3,5]{1,0:T(2,2)}"), {2, 3}), 17);
}

TEST(TiledLayoutDocument, WithoutTilesMajorDimensionsComeFirst) {
  const Tiling tiling = T("f32[4,5,6]{2,1,0}");
  EXPECT_EQ(tiling.LinearIndex({3, 2, 1}), (3 * 5 + 2) * 6 + 1);
}

TEST(TiledLayoutDocument, TileOfFewerDimensionsKeepsTheMajorOnes) {
  EXPECT_THAT(T("f32[4,3,5]{2,1,0:T(2,2)}").physical_dimensions(),
              ElementsAre(4, 2, 3, 2, 2));
  EXPECT_EQ(T("f32[4,3,5]{2,1,0:T(2,2)}").LinearIndex({3, 2, 3}), 3 * 24 + 17);
}

TEST(TiledLayoutDocument, Figure2RepeatedTiles) {
  const Tiling tiling = T("f32[4,8]{1,0:T(2,4)(2,1)}");
  EXPECT_THAT(tiling.physical_dimensions(), ElementsAre(2, 2, 1, 4, 2, 1));
  // The rows of the figure; the numbers are positions in memory.
  const std::vector<std::vector<int64_t>> figure = {
      {0, 2, 4, 6, 8, 10, 12, 14},
      {1, 3, 5, 7, 9, 11, 13, 15},
      {16, 18, 20, 22, 24, 26, 28, 30},
      {17, 19, 21, 23, 25, 27, 29, 31}};
  for (int64_t y = 0; y < 4; ++y) {
    for (int64_t x = 0; x < 8; ++x) {
      EXPECT_EQ(tiling.LinearIndex({y, x}), figure[y][x]) << y << "," << x;
    }
  }
}

TEST(TiledLayoutDocument, TpuTilingOfBf16PairsRows) {
  const Tiling tiling = T("bf16[16,256]{1,0:T(8,128)(2,1)}");
  EXPECT_EQ(tiling.LinearIndex({0, 0}), 0);
  EXPECT_EQ(tiling.LinearIndex({1, 0}), 1);
  EXPECT_EQ(tiling.LinearIndex({0, 1}), 2);
  EXPECT_EQ(tiling.LinearIndex({0, 128}), 8 * 128);
}

TEST(TiledLayoutDocument, LaterTileOfCrossTileDimensions) {
  // The second tile has 3 sizes, so it covers the tile column as well.
  const Tiling tiling = T("f32[4,8]{1,0:T(2,4)(2,2,4)}");
  EXPECT_THAT(tiling.physical_dimensions(), ElementsAre(2, 1, 1, 1, 2, 2, 4));
  ExpectBijective("f32[4,8]{1,0:T(2,4)(2,2,4)}");
}

TEST(TiledLayoutDocument, CombinedDimensions) {
  const Tiling combined = T("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}");
  const Tiling flat = T("f32[112,110]{1,0:T(2,3)}");
  EXPECT_THAT(combined.physical_dimensions(), ElementsAre(56, 37, 2, 3));
  EXPECT_EQ(combined.physical_dimensions(), flat.physical_dimensions());
  for (int64_t i : {0, 1}) {
    for (int64_t m : {0, 4, 9}) {
      EXPECT_EQ(combined.LinearIndex({i, 3, 5, 7, m}),
                flat.LinearIndex({(i * 7 + 3) * 8 + 5, 7 * 10 + m}));
    }
  }
}

TEST(ShapesDocument, PaddedDimensionsOfTwoByThree) {
  // "a d 0 b e 0 c f 0 0 0 0 0 0 0", column major, padded to 3 x 5.
  const std::string in = "abcdef";
  const Shape from = S("u8[2,3]{1,0}");
  const Shape to = S("u8[2,3]{0,1:PD(3,5)PV(ZERO_PAD)}");
  std::string out(PaddedByteSize(to).value(), '?');
  ASSERT_TRUE(Relayout(from, in.data(), to, out.data()).ok());
  for (char& c : out) {
    if (c == '\0') c = '0';
  }
  EXPECT_EQ(out, "ad0be0cf0000000");
}

TEST(ShapesDocument, MinorToMajorOrders) {
  const std::string in = "abcdef";
  std::string out(6, '?');
  ASSERT_TRUE(
      Relayout(S("u8[2,3]{1,0}"), in.data(), S("u8[2,3]{0,1}"), out.data())
          .ok());
  EXPECT_EQ(out, "adbecf");
  std::string back(6, '?');
  ASSERT_TRUE(
      Relayout(S("u8[2,3]{0,1}"), out.data(), S("u8[2,3]{1,0}"), back.data())
          .ok());
  EXPECT_EQ(back, "abcdef");
}

TEST(Tiling, EveryPositionOnce) {
  ExpectBijective("f32[3,5]{1,0:T(2,2)}");
  ExpectBijective("f32[3,5]{0,1:T(2,2)}");
  ExpectBijective("f32[7,3,5]{1,0,2:T(4,2)(2,1)}");
  ExpectBijective("f32[2,7,3,5]{3,2,1,0:T(*,4,*,4)(2,1)}");
  ExpectBijective("f32[3]{0:T(2,4)}");
  ExpectBijective("f32[]{:T(8)}");
  ExpectBijective("f32[]");
  ExpectBijective("f32[3,4]{1,0:L(8)}");
  ExpectBijective("f32[2,3]{0,1:T(2,2)PD(3,5)PV(ONE_PAD)}");
  ExpectBijective("f32[0,3]{1,0:T(2,2)}");
}

TEST(Tiling, ScalarTile) {
  EXPECT_EQ(T("f32[]{:T(128)}").padded_element_count(), 128);
}

TEST(Tiling, PaddingComesBeforeTiles) {
  EXPECT_THAT(T("f32[2,3]{1,0:T(2,4)PD(3,5)}").physical_dimensions(),
              ElementsAre(2, 2, 2, 4));
}

TEST(Tiling, ByteSizes) {
  EXPECT_EQ(PaddedByteSize(S("s4[3]{0:E(4)}")).value(), 2);
  EXPECT_EQ(PaddedByteSize(S("s4[3]{0}")).value(), 3);
  EXPECT_EQ(PaddedByteSize(S("f32[3]{0:L(4)}")).value(), 16);
  EXPECT_EQ(PaddedByteSize(S("pred[9]{0:E(1)}")).value(), 2);
  EXPECT_EQ(BufferByteSize(S("f32[3]{0:M(16)}")).value(), 28);
  EXPECT_EQ(ShapeUtil::ArraySize(S("f32[3,5]{1,0:T(2,2)}")), 96);
}

TEST(Tiling, OverflowIsAnError) {
  const Layout layout = LayoutUtil::MakeLayout({0}, {Tile({int64_t{1} << 62})});
  EXPECT_TRUE(Tiling::Create({1}, layout).ok());
  EXPECT_FALSE(Tiling::Create({(int64_t{1} << 62) + 1}, layout).ok());
  const Layout two =
      LayoutUtil::MakeLayout({1, 0}, {Tile({int64_t{1} << 40, 1 << 30})});
  EXPECT_THAT(std::string(Tiling::Create({1, 1}, two).status().message()),
              HasSubstr("overflow"));
  EXPECT_FALSE(ParseShape("f32[1,1]{1,0:T(1099511627776,1073741824)}").ok());
}

TEST(Tiling, LastDimensionCannotCombine) {
  EXPECT_FALSE(ParseShape("f32[2,2]{1,0:T(2,*)}").ok());
  const Layout layout =
      LayoutUtil::MakeLayout({1, 0}, {Tile({2, Tile::kCombineDimension})});
  EXPECT_FALSE(Tiling::Create({2, 2}, layout).ok());
}

TEST(Relayout, ThereAndBackAgain) {
  const char* layouts[] = {
      "s32[3,5,4]{2,1,0}",           "s32[3,5,4]{0,2,1}",
      "s32[3,5,4]{2,1,0:T(2,2)}",    "s32[3,5,4]{1,0,2:T(*,4,2)(2,1)}",
      "s32[3,5,4]{2,1,0:E(64)}",     "s32[3,5,4]{0,1,2:PD(3,7,4)PV(ONE_PAD)}",
      "s32[3,5,4]{2,1,0:T(2,2)L(7)}"};
  const Shape plain = S(layouts[0]);
  std::vector<int32_t> values(60);
  std::iota(values.begin(), values.end(), 100);
  for (const char* first : layouts) {
    for (const char* second : layouts) {
      std::vector<uint8_t> a(PaddedByteSize(S(first)).value());
      std::vector<uint8_t> b(PaddedByteSize(S(second)).value());
      std::vector<int32_t> result(60);
      ASSERT_TRUE(Relayout(plain, values.data(), S(first), a.data()).ok());
      ASSERT_TRUE(Relayout(S(first), a.data(), S(second), b.data()).ok());
      ASSERT_TRUE(Relayout(S(second), b.data(), plain, result.data()).ok());
      EXPECT_EQ(result, values) << first << " to " << second;
    }
  }
}

TEST(Relayout, PackedElements) {
  const std::vector<int8_t> values = {-8, 7, 3, -1, 0};
  const Shape plain = S("s4[5]{0}");
  const Shape packed = S("s4[5]{0:E(4)}");
  std::vector<uint8_t> bytes(3, 0xff);
  ASSERT_TRUE(Relayout(plain, values.data(), packed, bytes.data()).ok());
  EXPECT_THAT(bytes, ElementsAre(0x78, 0xf3, 0x00));
  // As IntN stores them: bits beyond the type's are 0.
  std::vector<int8_t> back(5);
  ASSERT_TRUE(Relayout(packed, bytes.data(), plain, back.data()).ok());
  EXPECT_THAT(back, ElementsAre(8, 7, 3, 15, 0));
}

TEST(Relayout, PaddingValues) {
  const float one = 7;
  for (auto [name, want] : std::vector<std::pair<std::string, float>>{
           {"ZERO_PAD", 0.f},
           {"ONE_PAD", 1.f},
           {"LOWEST_PAD", -std::numeric_limits<float>::infinity()},
           {"HIGHEST_PAD", std::numeric_limits<float>::infinity()}}) {
    float out[3] = {};
    ASSERT_TRUE(Relayout(S("f32[1]{0}"), &one,
                         S("f32[1]{0:PD(3)PV(" + name + ")}"), out)
                    .ok());
    EXPECT_THAT(out, ElementsAre(7, want, want)) << name;
  }
}

TEST(Relayout, RefusesWhatDoesNotFit) {
  const uint8_t in[8] = {};
  uint8_t out[8];
  EXPECT_FALSE(Relayout(S("f32[2]"), in, S("f32[3]"), out).ok());
  EXPECT_FALSE(Relayout(S("f32[2]"), in, S("s32[2]"), out).ok());
  EXPECT_FALSE(Relayout(S("f32[2]"), in, S("(f32[2])"), out).ok());
  EXPECT_FALSE(Relayout(S("f32[2]"), absl::MakeConstSpan(in, 7), S("f32[2]"),
                        absl::MakeSpan(out))
                   .ok());
  EXPECT_EQ(Relayout(S("f32[2]"), in, S("f32[2]{0:E(12)}"), out).code(),
            absl::StatusCode::kUnimplemented);
}

TEST(Layouts, DenseRowMajor) {
  EXPECT_TRUE(IsDenseRowMajor(S("f32[2,3]")));
  EXPECT_TRUE(IsDenseRowMajor(S("f32[2,3]{1,0}")));
  EXPECT_FALSE(IsDenseRowMajor(S("f32[2,3]{0,1}")));
  EXPECT_FALSE(IsDenseRowMajor(S("f32[2,3]{1,0:T(2,2)}")));
}

TEST(Layouts, BufferVectors) {
  EXPECT_TRUE(IsBufferVector(S("f32[8]"), S("f32[2,3]{1,0:T(2,2)}")));
  EXPECT_TRUE(IsBufferVector(S("f32[1,4]"), S("f32[3]{0:T(4)}")));
  // These are the array itself, another size, and a shape without tiles.
  EXPECT_FALSE(IsBufferVector(S("f32[2,3]"), S("f32[2,3]{1,0:T(2,2)}")));
  EXPECT_FALSE(IsBufferVector(S("f32[6]"), S("f32[2,3]{1,0:T(2,2)}")));
  EXPECT_FALSE(IsBufferVector(S("f32[6]"), S("f32[2,3]{1,0}")));
}

TEST(Layouts, PackedBits) {
  EXPECT_TRUE(IsBitPacked(S("s4[3]{0:E(4)}")));
  EXPECT_TRUE(IsBitPacked(S("u2[3]{0:E(2)}")));
  EXPECT_FALSE(IsBitPacked(S("s4[3]{0}")));
  EXPECT_FALSE(IsBitPacked(S("s4[3]{0:E(8)}")));
  EXPECT_FALSE(IsBitPacked(S("s4[<=3]{0:E(4)}")));
  EXPECT_FALSE(IsBitPacked(S("pred[3]{0:E(1)}")));
  EXPECT_FALSE(IsDenseRowMajor(S("s4[3]{0:E(4)}")));
  const auto bytes = [](const char* shape) {
    return ShapeUtil::HumanString(BufferVectorShape(S(shape)).value());
  };
  // Rows of whole bytes keep their dimensions, in the order of memory.
  EXPECT_EQ(bytes("s4[2,6]{1,0:E(4)}"), "u8[2,3]");
  EXPECT_EQ(bytes("s4[2,6]{0,1:E(4)}"), "u8[6,1]");
  EXPECT_EQ(bytes("s4[2,3]{1,0:E(4)}"), "u8[3]");
  EXPECT_EQ(bytes("u2[5]{0:E(2)}"), "u8[2]");
  EXPECT_EQ(bytes("s4[]{:E(4)}"), "u8[1]");
  EXPECT_EQ(bytes("s4[2,3]{1,0:T(2,2)E(4)}"), "u8[4]");
  EXPECT_TRUE(IsBufferVector(S("u8[2,3]"), S("s4[2,6]{1,0:E(4)}")));
  EXPECT_TRUE(CheckElementStorage(S("s4[3]{0:E(8)}")).ok());
  for (const char* refused : {"s4[3]{0:E(2)}", "s4[3]{0:E(16)}",
                              "s4[<=3]{0:E(4)}", "pred[3]{0:E(1)}"}) {
    EXPECT_EQ(CheckElementStorage(S(refused)).code(),
              absl::StatusCode::kUnimplemented)
        << refused;
  }
}

}  // namespace
}  // namespace xla
