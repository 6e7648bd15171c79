// ShapeUtil: loops, bitcasts that are taken apart, aligned layouts, inserted
// dimensions, validated shapes; and printers.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/cord.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/parsed_shape.h"
#include "xla/base/text/printer.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_text.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(ShapePartsTest, VisitsInBothOrders) {
  Shape tuple = S("(f32[2], (s32[], pred[3]))");
  auto order = [&](auto visit) {
    std::string out;
    visit(tuple, [&](const Shape&, const ShapeIndex& index) {
      out += index.ToString();
    });
    return out;
  };
  EXPECT_EQ(order(ShapeUtil::ForEachSubshape), "{}{0}{1}{1,0}{1,1}");
  EXPECT_EQ(order(ShapeUtil::ForEachSubshapePostOrder), "{0}{1,0}{1,1}{1}{}");
  EXPECT_EQ(order(ShapeUtil::ForEachLeafShape), "{0}{1,0}{1,1}");
  EXPECT_EQ(ShapeUtil::GetLeafCountTuple(tuple), 3);
  ShapeUtil::ForEachMutableSubshapePostOrder(
      &tuple, [](Shape* part, const ShapeIndex&) {
        if (part->IsArray()) part->set_element_type(U8);
      });
  EXPECT_EQ(tuple.ToString(), "(u8[2], (u8[], u8[3]))");
}

TEST(ShapePartsTest, LoopsStopAtErrors) {
  int calls = 0;
  const absl::Status status = ShapeUtil::ForEachLeafShapeWithStatus(
      S("(f32[2], s32[], pred[3])"), [&](const Shape& leaf, const ShapeIndex&) {
        ++calls;
        return leaf.element_type() == S32 ? absl::AbortedError("s32")
                                          : absl::OkStatus();
      });
  EXPECT_EQ(status.message(), "s32");
  EXPECT_EQ(calls, 2);
}

TEST(ShapePartsTest, IndexOfShapeAsProto) {
  const ShapeIndex index = {1, 0, 2};
  EXPECT_EQ(ShapeIndex::FromProto(index.ToProto()), index);
}

TEST(IndexLoopsTest, AnIncrementOfZeroStaysAtTheBase) {
  std::vector<std::vector<int64_t>> seen;
  ShapeUtil::ForEachIndexNoStatus(S("f32[3,4]"), {1, 0}, {2, 4}, {0, 2},
                                  [&](absl::Span<const int64_t> at) {
                                    seen.emplace_back(at.begin(), at.end());
                                    return true;
                                  });
  EXPECT_THAT(seen, ElementsAre(ElementsAre(1, 0), ElementsAre(1, 2)));
}

TEST(IndexLoopsTest, ParallelFormsVisitAll) {
  int64_t sum = 0;
  ShapeUtil::ForEachIndexParallel(
      S("f32[3,4]"), {0, 0}, {3, 4}, {1, 1},
      [&](absl::Span<const int64_t> at, int thread) -> absl::StatusOr<bool> {
        EXPECT_LT(thread, ShapeUtil::GetForEachIndexParallelThreadCount());
        sum += 10 * at[0] + at[1];
        return true;
      });
  EXPECT_EQ(sum, 4 * 30 + 3 * 6);
  EXPECT_EQ(ShapeUtil::ForEachIndexParallelWithStatus(
                S("f32[3]"),
                [](absl::Span<const int64_t>, int) -> absl::StatusOr<bool> {
                  return absl::AbortedError("stop");
                })
                .message(),
            "stop");
}

TEST(ShapeBitcastTest, IsTakenApart) {
  auto kind = [](absl::string_view from, absl::string_view to) {
    const auto parts = ShapeUtil::DecomposeBitcast(S(from), S(to));
    return parts.has_value() ? static_cast<int>(parts->index()) : -1;
  };
  EXPECT_EQ(kind("f32[2,3]{1,0}", "f32[6]{0}"), 0);              // reshape
  EXPECT_EQ(kind("f32[2,3]{1,0}", "f32[3,2]{0,1}"), 1);          // transpose
  EXPECT_EQ(kind("f32[2,3,4]{0,1,2}", "f32[12,2]{1,0}"), 2);     // all three
  EXPECT_EQ(kind("f32[2,3]{1,0}", "f32[5]{0}"), -1);             // other size
  EXPECT_EQ(kind("f32[2,3]{1,0}", "f16[6]{0}"), -1);             // other width
  EXPECT_EQ(kind("f32[8,128]{1,0:T(8,128)}", "f32[1024]"), -1);  // tiles
}

TEST(ShapeBitcastTest, ThreeStepsGiveTheOutput) {
  const Shape from = S("f32[2,3,4]{0,1,2}"), to = S("f32[12,2]{0,1}");
  const auto parts = ShapeUtil::DecomposeBitcastToTrt(from, to);
  ASSERT_TRUE(parts.has_value());
  EXPECT_EQ(parts->transpose1_shape, S("f32[4,3,2]"));
  EXPECT_EQ(parts->reshape_shape, S("f32[2,12]"));
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(from, parts->transpose1_shape,
                                            parts->transpose1_dims));
  EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(parts->transpose1_shape,
                                          parts->reshape_shape));
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(parts->reshape_shape, to,
                                            parts->transpose2_dims));
  EXPECT_FALSE(parts->IsTranspose1Identity());
  EXPECT_TRUE(ShapeUtil::DecomposeBitcastToTrt(S("f32[2,3]"), S("f32[6]"))
                  ->IsTranspose2Identity());
  EXPECT_TRUE(ShapeUtil::IsReshapeOrTransposeBitcast(S("f32[2,3]"),
                                                     S("f32[3,2]{0,1}")));
}

TEST(ShapeBitcastTest, LayoutsAreAligned) {
  auto aligned = [](absl::string_view from, absl::string_view to) {
    const auto shape = ShapeUtil::AlignLayouts(S(from), S(to));
    if (!shape.has_value()) return std::string("none");
    EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(S(from), *shape));
    return shape->layout().ToString();
  };
  EXPECT_EQ(aligned("f32[6,4]{0,1}", "f32[2,3,4]"), "{1,0,2}");
  EXPECT_EQ(aligned("f32[2,3,4]{1,0,2}", "f32[6,4]"), "{0,1}");
  EXPECT_EQ(aligned("f32[2,3,4]{0,1,2}", "f32[6,4]"), "none");
  EXPECT_EQ(aligned("f32[2,3]{1,0}", "f32[2,1,3,1]"), "{3,2,1,0}");
  EXPECT_EQ(aligned("f32[1,3,1,5]{0,3,1,2}", "f32[5,3]"), "{1,0}");
  EXPECT_EQ(aligned("f32[1,3,1,5]{0,1,3,2}", "f32[5,3]"), "none");
  EXPECT_EQ(aligned("f32[1,3,1,5]{0,3,1,2}", "f32[3,5]"), "{1,0}");
  EXPECT_EQ(aligned("f32[0,3]{0,1}", "f32[5,0]"), "{1,0}");
}

TEST(ShapeBitcastTest, TransposesAreNormalized) {
  auto normalized = [](absl::string_view from, absl::string_view to,
                       std::vector<int64_t> dims) {
    absl::InlinedVector<int64_t, 3> permutation;
    const auto sizes = ShapeUtil::GetNormalizedLogicalTransposeShape(
        S(from), S(to), dims, permutation);
    if (!sizes.ok()) return std::string("error");
    return absl::StrCat(absl::StrJoin(*sizes, "x"), " by ",
                        absl::StrJoin(permutation, ","));
  };
  EXPECT_EQ(normalized("f32[10,1,11,32]", "f32[32,1,10,11]", {3, 1, 0, 2}),
            "32x110 by 1,0");
  EXPECT_EQ(normalized("f32[2,3,4,5]", "f32[4,5,2,3]", {2, 3, 0, 1}),
            "20x6 by 1,0");
  EXPECT_EQ(normalized("f32[2,3,4]", "f32[4,3,2]", {2, 1, 0}),
            "4x3x2 by 2,1,0");
  EXPECT_EQ(normalized("f32[2,3]", "f32[2,3]", {0, 1}), "6 by ");
  EXPECT_EQ(normalized("f32[2,3]", "f32[2,3]", {1, 0}), "error");
  EXPECT_EQ(normalized("f32[2,3]{0,1}", "f32[3,2]", {1, 0}), "error");
}

TEST(ShapeUtilTest, DimensionsAreInserted) {
  EXPECT_EQ(ShapeUtil::InsertDimensionAtIndex(S("f32[2,3]"), 1, 7),
            S("f32[2,7,3]"));
  EXPECT_EQ(ShapeUtil::InsertDimensionAtIndex(S("f32[2,3]"), 2, 7),
            S("f32[2,3,7]"));
  EXPECT_EQ(ShapeUtil::InsertDimensionsAtIndex(S("f32[2,3]{0,1}"), 0, {7, 8}),
            S("f32[7,8,2,3]{2,1,0,3}"));
  EXPECT_EQ(
      ShapeUtil::PermuteDimensionsIgnoringLayout({1, 0}, S("f32[2,3]{0,1}")),
      S("f32[3,2]{0,1}"));
}

TEST(ShapeUtilTest, PropertiesOfDevicesAreDropped) {
  const Shape device = S("(f32[8,128]{1,0:T(8,128)S(1)}, s4[2]{0:E(4)})");
  EXPECT_FALSE(ShapeUtil::DeviceShapeIsHostShape(device));
  const Shape host = ShapeUtil::DeviceShapeToHostShape(device);
  EXPECT_EQ(host, S("(f32[8,128], s4[2])"));
  EXPECT_TRUE(ShapeUtil::DeviceShapeIsHostShape(host));
}

TEST(ShapeUtilTest, ValidatedShapesReturnErrors) {
  EXPECT_EQ(*ShapeUtil::MakeValidatedShapeWithDenseLayout(F32, {2, 3}, {0, 1}),
            S("f32[2,3]{0,1}"));
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShapeWithDenseLayout(F32, {2, 3}, {0, 2}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShapeWithDenseLayout(TOKEN, {}, {}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedScalarShape(PRIMITIVE_TYPE_INVALID).ok());
  EXPECT_EQ(*ShapeUtil::MakeValidatedShapeWithType<int8_t>({4}), S("s8[4]"));
  EXPECT_EQ(*ShapeUtil::MakeValidatedMaybeTupleShape({S("f32[2]")}),
            S("f32[2]"));
  EXPECT_FALSE(ShapeUtil::MakeValidatedTupleShape({Shape()}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout(
          S("(f32[2])"))
          .ok());
}

TEST(ShapeUtilTest, StridesAndSizes) {
  int64_t strides[2];
  ASSERT_TRUE(
      ShapeUtil::ByteStrides(S("f32[2,3]{0,1}"), absl::MakeSpan(strides)).ok());
  EXPECT_THAT(strides, ElementsAre(4, 8));
  ASSERT_TRUE(ShapeUtil::UnpackedByteStrides(S("s4[2,3]{1,0:E(4)}"),
                                             absl::MakeSpan(strides))
                  .ok());
  EXPECT_THAT(strides, ElementsAre(3, 1));
  EXPECT_FALSE(
      ShapeUtil::ByteStrides(S("f32[2]"), absl::MakeSpan(strides)).ok());
  EXPECT_EQ(ShapeUtil::ElementSizeInBits(S("s4[2]{0:E(4)}")), 4);
  EXPECT_EQ(ShapeUtil::ElementSizeInBits(S("s4[2]")), 8);
  EXPECT_EQ(*ShapeUtil::PackedFactorFor1DInterleavedArray(
                S("bf16[1024]{0:T(1024)(128)(2,1)}")),
            2);
  EXPECT_FALSE(
      ShapeUtil::PackedFactorFor1DInterleavedArray(S("bf16[1024]")).ok());
  EXPECT_EQ(ShapeUtil::ExtentProduct<true>(S("f32[<=3,?]")),
            std::make_pair(int64_t{3}, false));
  EXPECT_TRUE(ShapeUtil::ElementCanUpcast(S("bf16[]"), S("f32[]")));
  EXPECT_FALSE(ShapeUtil::ElementCanUpcast(S("f32[]"), S("bf16[]")));
}

TEST(LayoutUtilTest, TilesThatMoveNothing) {
  auto untiled = [](absl::string_view layout, std::vector<int64_t> dims) {
    return LayoutUtil::IsUntiledLayout(ParseLayout(layout)->tiles(), dims);
  };
  EXPECT_TRUE(untiled("{1,0}", {3, 5}));
  EXPECT_TRUE(untiled("{1,0:T(8,128)}", {16, 128}));
  EXPECT_FALSE(untiled("{1,0:T(8,128)}", {8, 256}));
  EXPECT_FALSE(untiled("{1,0:T(8,128)}", {9, 128}));  // padded
  EXPECT_TRUE(untiled("{1,0:T(1,128)}", {3, 256}));
  EXPECT_FALSE(untiled("{1,0:T(8,128)(2,1)}", {8, 128}));
}

TEST(LayoutUtilTest, OrdersAndSplits) {
  EXPECT_EQ(LayoutUtil::MoveDimToMinor(Layout({0, 2, 1}), 1),
            Layout({1, 0, 2}));
  EXPECT_TRUE(LayoutUtil::HasDescendingLayout(Layout({1, 0})));
  EXPECT_TRUE(LayoutUtil::HasAscendingLayout(Layout({0, 1})));
  EXPECT_TRUE(LayoutUtil::ByteStridesIsMajorToMinor({12, 4}, {2, 3}, F32));
  EXPECT_FALSE(LayoutUtil::ByteStridesIsMajorToMinor({99, 4}, {1, 3}, F32));
  EXPECT_FALSE(LayoutUtil::ByteStridesIsMajorToMinor({4, 8}, {2, 3}, F32));
  const Shape split = S("f32[10,4]{1,0:SC(0:2,7)}");
  EXPECT_EQ(LayoutUtil::MaxSplitSize(split, 0), 5);
  EXPECT_EQ(LayoutUtil::MaxSplitSize(split, 1), 4);
}

TEST(PrinterTest, TextGoesWhereItIsWanted) {
  const Shape shape = S("f32[2,3]");
  StringPrinter text;
  AppendCat(&text, "shape ", shape.rank(), ": ");
  shape.Print(&text, /*print_layout=*/true);
  AppendJoin(&text, std::vector<int64_t>{4, 5}, "|");
  text.AppendInt64List({6, 7}, /*leading_comma=*/true);
  EXPECT_EQ(std::move(text).ToString(), "shape 2: f32[2,3]{1,0}4|5,{6,7}");

  CordPrinter cord;
  ShapeUtil::PrintHumanString(&cord, shape);
  EXPECT_EQ(std::move(cord).ToCord(), "f32[2,3]");

  // However the text is cut, its fingerprint is the same.
  HighwayHashPrinter whole, pieces, other;
  whole.Append("abc");
  AppendCat(&pieces, "a", "bc");
  other.Append("abd");
  EXPECT_TRUE(whole.is_hasher());
  EXPECT_EQ(whole.ToFingerprint(), pieces.ToFingerprint());
  EXPECT_TRUE(whole.ToFingerprint128() == pieces.ToFingerprint128());
  EXPECT_NE(whole.ToFingerprint(), other.ToFingerprint());
}

}  // namespace
}  // namespace xla
