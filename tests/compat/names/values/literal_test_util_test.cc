// Uses every public name of xla/tests/literal_test_util.h.
#include "xla/tests/literal_test_util.h"

#include <optional>

#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"
#include "xla/array2d.h"
#include "xla/array3d.h"
#include "xla/array4d.h"
#include "xla/literal_util.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

TEST(LiteralTestUtilNamesTest, Shapes) {
  const Shape row_major = ShapeUtil::MakeShape(F32, {2, 3});
  const Shape column_major =
      ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1});
  EXPECT_TRUE(LiteralTestUtil::EqualShapes(row_major, column_major));
  EXPECT_FALSE(LiteralTestUtil::EqualShapesAndLayouts(row_major, column_major));
  EXPECT_TRUE(LiteralTestUtil::EqualShapesAndLayouts(row_major, row_major));
}

TEST(LiteralTestUtilNamesTest, Equality) {
  const Literal row = LiteralUtil::CreateR1<float>({1, 2});
  EXPECT_TRUE(LiteralTestUtil::Equal(row, row));
  EXPECT_FALSE(
      LiteralTestUtil::Equal(row, LiteralUtil::CreateR1<float>({1, 3})));
  LiteralTestUtil::ExpectR0Equal(1.5f, LiteralUtil::CreateR0<float>(1.5f));
  LiteralTestUtil::ExpectR1Equal<float>({1, 2}, row);
  const Array2D<float> two({{1, 2}});
  const Literal matrix = LiteralUtil::CreateR2FromArray2D(two);
  LiteralTestUtil::ExpectR2Equal<float>({{1, 2}}, matrix);
  LiteralTestUtil::ExpectR2Equal({{1.0f, 2.0f}}, matrix);
  LiteralTestUtil::ExpectR2EqualArray2D(two, matrix);
  const Array3D<float> three({{{1, 2}}});
  const Literal cube = LiteralUtil::CreateR3FromArray3D(three);
  LiteralTestUtil::ExpectR3Equal<float>({{{1, 2}}}, cube);
  LiteralTestUtil::ExpectR3EqualArray3D(three, cube);
  const Array4D<float> four({{{{1, 2}}}});
  LiteralTestUtil::ExpectR4EqualArray4D(four,
                                        LiteralUtil::CreateR4FromArray4D(four));
  EXPECT_NONFATAL_FAILURE(
      LiteralTestUtil::ExpectR0Equal(2.0f, LiteralUtil::CreateR0<float>(1)),
      "expected 2");
}

TEST(LiteralTestUtilNamesTest, Nearness) {
  const ErrorSpec error(0.1);
  const Literal row = LiteralUtil::CreateR1<float>({1.05f, 2});
  EXPECT_TRUE(
      LiteralTestUtil::Near(LiteralUtil::CreateR1<float>({1, 2}), row, error));
  EXPECT_FALSE(LiteralTestUtil::Near(LiteralUtil::CreateR1<float>({1, 2}), row,
                                     ErrorSpec(0.01), /*detailed_message=*/
                                     true));
  EXPECT_TRUE(LiteralTestUtil::NearOrEqual(row, row, std::nullopt));
  EXPECT_FALSE(LiteralTestUtil::NearOrEqual(
      LiteralUtil::CreateR1<float>({1, 2}), row, std::nullopt));
  EXPECT_TRUE(LiteralTestUtil::NearOrEqual(LiteralUtil::CreateR1<float>({1, 2}),
                                           row, error));
  LiteralTestUtil::ExpectR0Near(1.0f, LiteralUtil::CreateR0<float>(1.05f),
                                error);
  LiteralTestUtil::ExpectR1Near<float>({1, 2}, row, error);
  const Array2D<float> two({{1, 2.05f}});
  const Literal matrix = LiteralUtil::CreateR2FromArray2D(two);
  LiteralTestUtil::ExpectR2Near<float>({{1, 2}}, matrix, error);
  LiteralTestUtil::ExpectR2NearArray2D(two, matrix, error);
  const Array3D<float> three({{{1, 2.05f}}});
  const Literal cube = LiteralUtil::CreateR3FromArray3D(three);
  LiteralTestUtil::ExpectR3Near<float>({{{1, 2}}}, cube, error);
  LiteralTestUtil::ExpectR3NearArray3D(three, cube, error);
  const Array4D<float> four({{{{1, 2.05f}}}});
  const Literal image = LiteralUtil::CreateR4FromArray4D(four);
  LiteralTestUtil::ExpectR4Near<float>({{{{1, 2}}}}, image, error);
  LiteralTestUtil::ExpectR4NearArray4D(four, image, error);
}

}  // namespace
}  // namespace xla
