// The worked examples of the two documents on shapes and layout.
#include <cstring>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/spec/spec_testing.h"
#include "xla/core/index_util.h"
#include "xla/core/layout/relayout.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla::spec {
namespace {

using ::testing::ElementsAre;

// Returns the letters of the document's 2 x 3 array in their memory order under
// a layout, with padding as '0'.
std::string Memory(absl::string_view shape) {
  const Shape from = ParseShape("u8[2,3]{1,0}").value();
  const Shape to = ParseShape(shape).value();
  std::string bytes(PaddedByteSize(to).value(), '?');
  const absl::Status done = Relayout(from, "abcdef", to, bytes.data());
  EXPECT_TRUE(done.ok()) << done;
  for (char& c : bytes) c = c == '\0' ? '0' : c;
  return bytes;
}

TEST(ShapesDocument, RankAndTrueRank) {
  const Shape shape = ShapeUtil::MakeShape(F32, {3, 1, 2});
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(ShapeUtil::TrueRank(shape), 2);
}

TEST(ShapesDocument, SizesInOrderOfDimensionNumbers) {
  const int64_t a = 2, b = 3, c = 5, d = 7;
  EXPECT_THAT(ShapeUtil::MakeShape(F32, {a, b, c, d}).dimensions(),
              ElementsAre(a, b, c, d));
  const Shape shape = ShapeUtil::MakeShape(F32, {a, b, c});
  EXPECT_EQ(shape.dimensions(0), a);
  EXPECT_EQ(shape.dimensions(1), b);
  EXPECT_EQ(shape.dimensions(2), c);
}

TEST(ShapesDocument, NegativeDimensionNumbers) {
  const Shape shape = ShapeUtil::MakeShape(F32, {2, 3, 5});
  EXPECT_EQ(ShapeUtil::GetDimension(shape, -1), 5);
  EXPECT_EQ(ShapeUtil::GetDimension(shape, -2), 3);
  EXPECT_EQ(ShapeUtil::GetDimension(shape, -3), 2);
}

TEST(ShapesDocument, ColumnMajorMemory) {
  EXPECT_EQ(Memory("u8[2,3]{0,1}"), "adbecf");
  EXPECT_TRUE(
      LayoutUtil::IsMonotonicWithDim0Minor(LayoutUtil::MakeLayout({0, 1})));
}

TEST(ShapesDocument, RowMajorMemory) {
  EXPECT_EQ(Memory("u8[2,3]{1,0}"), "abcdef");
  EXPECT_TRUE(
      LayoutUtil::IsMonotonicWithDim0Major(LayoutUtil::MakeLayout({1, 0})));
}

TEST(ShapesDocument, NewShapesAreMajorToMinor) {
  EXPECT_THAT(ShapeUtil::MakeShape(F32, {2, 3}).layout().minor_to_major(),
              ElementsAre(1, 0));
  // Literals are laid out in the same way.
  const Literal literal = Value("s32[2,3] {{1, 2, 3}, {4, 5, 6}}");
  EXPECT_THAT(literal.data<int32_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(literal.Relayout(LayoutUtil::MakeLayout({0, 1})).data<int32_t>(),
              ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(ShapesDocument, PaddedMemory) {
  EXPECT_EQ(Memory("u8[2,3]{0,1:PD(3,5)PV(ZERO_PAD)}"), "ad0be0cf0000000");
}

// "Equivalent to the layout of this matrix with the same order": a b c 0 0,
// d e f 0 0, 0 0 0 0 0.
TEST(ShapesDocument, PaddedMemoryIsThatOfThePaddedMatrix) {
  XlaBuilder b("pad");
  Literal letters(ShapeUtil::MakeShape(U8, {2, 3}));
  std::memcpy(letters.untyped_data(), "abcdef", 6);
  PaddingConfig config;
  for (int64_t high : {1, 2}) {
    config.add_dimensions()->set_edge_padding_high(high);
  }
  Pad(ConstantLiteral(&b, letters), ConstantR0<uint8_t>(&b, '0'), config);
  const Literal matrix = RunToLiteral(b);
  const auto row_major = matrix.data<uint8_t>();
  EXPECT_EQ(std::string(row_major.begin(), row_major.end()), "abc00def0000000");
  const Literal turned = matrix.Relayout(LayoutUtil::MakeLayout({0, 1}));
  const auto column_major = turned.data<uint8_t>();
  EXPECT_EQ(std::string(column_major.begin(), column_major.end()),
            Memory("u8[2,3]{0,1:PD(3,5)PV(ZERO_PAD)}"));
}

TEST(ShapesDocument, PaddedDimensionsAreAsManyAsTheRank) {
  EXPECT_TRUE(ParseShape("u8[2,3]{0,1:PD(3,5)}").ok());
  EXPECT_FALSE(ParseShape("u8[2,3]{0,1:PD(3)}").ok());
  EXPECT_FALSE(ParseShape("u8[2,3]{0,1:PD(3,5,7)}").ok());
}

// "IndexUtil converts between multidimensional and linear indices given a
// shape and layout": the position of each letter.
TEST(ShapesDocument, MultidimensionalAndLinearIndices) {
  for (absl::string_view text : {"u8[2,3]{0,1}", "u8[2,3]{1,0}"}) {
    const Shape shape = ParseShape(text).value();
    const std::string memory = Memory(text);
    for (const std::vector<int64_t>& index : Indices({2, 3})) {
      const int64_t linear =
          IndexUtil::MultidimensionalIndexToLinearIndex(shape, index);
      EXPECT_EQ(memory[linear], "abcdef"[index[0] * 3 + index[1]]) << text;
      EXPECT_THAT(IndexUtil::LinearIndexToMultidimensionalIndex(shape, linear),
                  ElementsAre(index[0], index[1]));
    }
  }
}

}  // namespace
}  // namespace xla::spec
