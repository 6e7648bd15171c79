// Uses the names of xla/shape_util.h that make, check, measure, compare and
// visit shapes; shape_util_2_test.cc has those that change them.
#include "xla/shape_util.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Shape Array(PrimitiveType type, absl::Span<const int64_t> sizes,
            const Layout& layout) {
  Shape shape(type, sizes);
  *shape.mutable_layout() = layout;
  return shape;
}
Shape F(absl::Span<const int64_t> sizes) {
  return ShapeUtil::MakeShape(F32, sizes);
}
Shape T(std::vector<Shape> shapes) { return Shape(std::move(shapes)); }
std::string Text(const Shape& shape) { return shape.ToString(true); }

TEST(ShapeUtilNamesTest, ShapeIndices) {
  ShapeIndex index = {1, 2};
  index.push_front(0);
  EXPECT_EQ(index.ToString(), "{0,1,2}");
  std::ostringstream stream;
  stream << index;
  EXPECT_EQ(stream.str(), "{0,1,2}");
  EXPECT_EQ(ShapeIndex::FromProto(index.ToProto()), index);
  index.pop_front();
  const ShapeIndexView view = index;
  EXPECT_EQ(ShapeIndex(view), index);
  EXPECT_THAT(index, ElementsAre(1, 2));
  EXPECT_EQ(ShapeIndex().ToString(), "{}");
  EXPECT_EQ(ShapeIndex(view.begin(), view.end()), index);
}

TEST(ShapeUtilNamesTest, MakesArrays) {
  EXPECT_EQ(Text(ShapeUtil::MakeShape(F32, {2, 3})), "f32[2,3]{1,0}");
  EXPECT_EQ(Text(ShapeUtil::MakeShape(F32, {2, 3}, {false, true})),
            "f32[2,<=3]{1,0}");
  EXPECT_EQ(Text(ShapeUtil::MakeShape(F32, {Shape::kUnboundedSize})),
            "f32[?]{0}");
  EXPECT_EQ(ShapeUtil::MakeShapeWithType<int8_t>({4}).element_type(), S8);
  EXPECT_EQ(Text(ShapeUtil::MakeValidatedShapeWithType<bool>({4}).value()),
            "pred[4]{0}");
  EXPECT_EQ(Text(ShapeUtil::MakeScalarShape(U8)), "u8[]");
  EXPECT_EQ(Text(ShapeUtil::MakeValidatedScalarShape(U8).value()), "u8[]");
  EXPECT_EQ(Text(ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1},
                                                     {Tile({2, 2})}, 4, 16, 5,
                                                     {SplitConfig(0, {1})})),
            "f32[2,3]{0,1:T(2,2)L(4)E(16)S(5)SC(0:1)}");
  // The size that elements have anyway is not written.
  EXPECT_EQ(Text(ShapeUtil::MakeValidatedShapeWithDenseLayout(F32, {2}, {0}, {},
                                                              1, 32)
                     .value()),
            "f32[2]{0}");
  EXPECT_EQ(Text(ShapeUtil::MakeShapeWithDescendingLayout(F32, {2, 3})),
            "f32[2,3]{1,0}");
  EXPECT_TRUE(ShapeUtil::MakeValidatedShapeWithDescendingLayout(F32, {}).ok());
  Shape columns = Array(F32, {2, 3, 4}, Layout({0, 2, 1}, {Tile({2})}));
  columns.mutable_layout()->set_tail_padding_alignment_in_elements(4);
  for (const Shape& shape :
       {ShapeUtil::MakeShapeWithDescendingLayoutAndSamePhysicalLayout(columns),
        ShapeUtil::MakeValidatedShapeWithDescendingLayoutAndSamePhysicalLayout(
            columns)
            .value()}) {
    EXPECT_EQ(Text(shape), "f32[3,4,2]{2,1,0:T(2)L(4)}");
  }
  Shape populated = T({});
  EXPECT_TRUE(ShapeUtil::PopulateShape(S32, {7}, &populated).ok());
  EXPECT_EQ(Text(populated), "s32[7]{0}");
}

TEST(ShapeUtilNamesTest, MakingFails) {
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(F32, {-1}).ok());
  EXPECT_FALSE(ShapeUtil::MakeValidatedShape(F32, {1, 2}, {true}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShape(F32, {Shape::kUnboundedSize}, {false})
          .ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShape(F32, {int64_t{1} << 40, 1 << 30}).ok());
  EXPECT_FALSE(
      ShapeUtil::MakeValidatedShapeWithDenseLayout(F32, {2, 3}, {0}).ok());
  EXPECT_FALSE(ShapeUtil::MakeValidatedBufferShape(T({})).ok());
  Shape populated;
  EXPECT_FALSE(ShapeUtil::PopulateShape(F32, {-1}, &populated).ok());
}

TEST(ShapeUtilNamesTest, MakesOtherShapes) {
  EXPECT_EQ(Text(ShapeUtil::MakeTokenShape()), "token[]");
  EXPECT_EQ(Text(ShapeUtil::MakeOpaqueShape()), "opaque[]");
  EXPECT_EQ(Text(ShapeUtil::MakeNil()), "()");
  const Shape a = F({2}), b = ShapeUtil::MakeTokenShape();
  EXPECT_EQ(Text(ShapeUtil::MakeTupleShape({a, b})), "(f32[2]{0}, token[])");
  EXPECT_EQ(ShapeUtil::MakeTupleShapeWithPtrs({&a, &b}), T({a, b}));
  EXPECT_EQ(ShapeUtil::MakeMaybeTupleShape({a}), a);
  EXPECT_EQ(ShapeUtil::MakeMaybeTupleShape({a, a}), T({a, a}));
  EXPECT_EQ(ShapeUtil::MakeValidatedTupleShape({a}).value(), T({a}));
  EXPECT_FALSE(ShapeUtil::MakeValidatedTupleShape({Shape()}).ok());
  EXPECT_EQ(ShapeUtil::MakeValidatedTupleShapeWithPtrs({&b}).value(), T({b}));
  EXPECT_EQ(ShapeUtil::MakeValidatedMaybeTupleShape({}).value(), T({}));
  EXPECT_EQ(Text(ShapeUtil::MakeValidatedBufferShape(a).value()),
            "b(f32[2]{0})");
  EXPECT_EQ(ShapeUtil::MakeValidatedBufferShape(F32, {2}).value(),
            ShapeUtil::MakeValidatedBufferShape(a).value());
  const ProgramShape program = ShapeUtil::MakeProgramShape({a, b}, a);
  EXPECT_EQ(ShapeUtil::HumanString(program),
            "((unknown): f32[2], (unknown): token[]) -> f32[2]");
}

TEST(ShapeUtilNamesTest, Validation) {
  Shape shape = F({2, 3});
  EXPECT_TRUE(ShapeUtil::ValidateShape(shape).ok());
  shape.clear_layout();
  EXPECT_FALSE(ShapeUtil::ValidateShape(shape).ok());
  EXPECT_TRUE(ShapeUtil::ValidateShapeWithOptionalLayout(shape).ok());
  *shape.mutable_layout() = Layout({0});
  EXPECT_FALSE(ShapeUtil::ValidateShapeWithOptionalLayout(T({shape})).ok());
  EXPECT_FALSE(ShapeUtil::ValidateShape(Shape()).ok());
  EXPECT_FALSE(ShapeUtil::IsInitialized(Shape()));
  EXPECT_TRUE(ShapeUtil::IsInitialized(shape));
}

TEST(ShapeUtilNamesTest, Elements) {
  const Shape bounded = ShapeUtil::MakeShape(F32, {2, 3}, {true, false});
  EXPECT_EQ(ShapeUtil::ElementsIn(bounded), 6);
  EXPECT_EQ(ShapeUtil::ElementsIn(F({})), 1);
  EXPECT_EQ(ShapeUtil::ElementsInRecursive(T({F({2}), T({F({3, 4})})})), 14);
  EXPECT_THAT(ShapeUtil::ExtentProduct<false>(bounded), Pair(6, false));
  const Shape unbounded = F({5, Shape::kUnboundedSize});
  EXPECT_THAT(ShapeUtil::ExtentProduct<true>(unbounded), Pair(5, false));
  Shape huge(F32, {int64_t{1} << 40, int64_t{1} << 40});
  EXPECT_TRUE(ShapeUtil::ExtentProduct<true>(huge).second);
  EXPECT_EQ(ShapeUtil::StaticExtentProduct(unbounded), 5);
  EXPECT_TRUE(ShapeUtil::IsZeroElementArray(F({2, 0})));
  EXPECT_FALSE(ShapeUtil::IsZeroElementArray(T({})));
  EXPECT_TRUE(ShapeUtil::IsScalar(F({})));
  EXPECT_FALSE(ShapeUtil::IsScalar(T({})));
  EXPECT_TRUE(ShapeUtil::IsEffectiveScalar(F({1, 1})));
  EXPECT_FALSE(ShapeUtil::IsEffectiveScalar(F({1, 0})));
  EXPECT_TRUE(ShapeUtil::IsScalarWithElementType(F({}), F32));
  EXPECT_FALSE(ShapeUtil::IsScalarWithElementType(F({}), S32));
  EXPECT_EQ(ShapeUtil::TrueNumDimensions(F({3, 0, 1})), 2);
  EXPECT_THAT(ShapeUtil::CreateDimensionVectorFromShape(F({3, 1})),
              ElementsAre(3, 1));
  EXPECT_THAT(ShapeUtil::CreateDimensionVectorFromShape(T({})), IsEmpty());
  EXPECT_EQ(ShapeUtil::GetDimension(F({3, 5}), -1), 5);
  EXPECT_EQ(ShapeUtil::GetDimensionNumber(F({3, 5}), -2), 0);
  EXPECT_EQ(ShapeUtil::GetDimensionNumber(F({3, 5}), 1), 1);
}

TEST(ShapeUtilNamesTest, Bytes) {
  EXPECT_EQ(ShapeUtil::ByteSizeOf(F({2, 3})), 24);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(T({F({9}), F({9})}), 4), 8);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(ShapeUtil::MakeTokenShape()), 0);
  EXPECT_EQ(
      ShapeUtil::ByteSizeOf(*ShapeUtil::MakeValidatedBufferShape(F32, {2})), 8);
  EXPECT_EQ(ShapeUtil::ByteSizeOfPrimitiveType(C64), 8);
  EXPECT_EQ(ShapeUtil::ByteSizeOfTupleIndexTable(T({F({}), F({})}), 8), 16);
  const Shape packed = Array(S4, {5, 3}, Layout({1, 0}, {}, 4));
  EXPECT_EQ(ShapeUtil::ByteSizeOfElements(packed), 8);
  EXPECT_EQ(ShapeUtil::ByteSizeOfElements(ShapeUtil::MakeShape(S4, {5})), 5);
  EXPECT_EQ(ShapeUtil::ElementSizeInBits(packed), 4);
  EXPECT_EQ(ShapeUtil::ElementSizeInBits(F({2})), 32);
  int64_t strides[2] = {};
  EXPECT_TRUE(
      ShapeUtil::UnpackedByteStrides(packed, absl::MakeSpan(strides)).ok());
  EXPECT_THAT(strides, ElementsAre(3, 1));
  EXPECT_THAT(*ShapeUtil::UnpackedByteStrides(packed), ElementsAre(3, 1));
  EXPECT_EQ(ShapeUtil::ByteStrides(packed), std::nullopt);
  EXPECT_THAT(
      *ShapeUtil::ByteStrides(Array(S8, {5, 3}, Layout({1, 0}, {}, 16))),
      ElementsAre(3, 1));
  const Shape tiled = Array(F32, {5, 3}, Layout({0, 1}, {Tile({8, 128})}));
  EXPECT_TRUE(ShapeUtil::ByteStrides(tiled, absl::MakeSpan(strides)).ok());
  EXPECT_THAT(strides, ElementsAre(4, 20));
  EXPECT_THAT(*ShapeUtil::ByteStrides(tiled), ElementsAre(4, 20));
  EXPECT_FALSE(ShapeUtil::ByteStrides(F({2}), absl::MakeSpan(strides)).ok());
  EXPECT_EQ(ShapeUtil::UnpackedByteStrides(Shape(F32, {2})), std::nullopt);
}

TEST(ShapeUtilNamesTest, PaddedBytes) {
  const Shape tiled = Array(F32, {9, 100}, Layout({1, 0}, {Tile({8, 128})}));
  EXPECT_EQ(ShapeUtil::ArraySize(tiled), 2 * 8 * 128 * 4);
  // The last element is the 100th of the second tile.
  EXPECT_EQ(ShapeUtil::ArrayDataSize(tiled), (8 * 128 + 100) * 4);
  EXPECT_EQ(ShapeUtil::ArraySize(F({9, 100})), 3600);
  EXPECT_EQ(ShapeUtil::ArrayDataSize(F({9, 100})), 3600);
  Shape prefixed = F({4});
  prefixed.mutable_layout()->set_dynamic_shape_metadata_prefix_bytes(64);
  EXPECT_EQ(ShapeUtil::ArraySize(prefixed), 16);
  EXPECT_EQ(ShapeUtil::PackedFactorFor1DInterleavedArray(
                Array(BF16, {1024},
                      Layout({0}, {Tile({1024}), Tile({128}), Tile({2, 1})})))
                .value(),
            2);
  EXPECT_FALSE(ShapeUtil::PackedFactorFor1DInterleavedArray(F({8})).ok());
}

TEST(ShapeUtilNamesTest, SerializedBytes) {
  const Shape shape = T({F({2, 3}), ShapeUtil::MakeShape(PRED, {9})});
  const int64_t proto_bytes = shape.ToProto().ByteSizeLong();
  EXPECT_EQ(ShapeUtil::SerializedSize(shape).value(), 8 + proto_bytes + 24 + 2);
  EXPECT_EQ(ShapeUtil::SerializedSizeWithProto(shape, shape.ToProto()).value(),
            ShapeUtil::SerializedSize(shape).value());
  EXPECT_FALSE(ShapeUtil::SerializedSize(Shape(TOKEN)).ok());
  EXPECT_EQ(sizeof(ShapeUtil::DynamicSizeType), 4u);
}

TEST(ShapeUtilNamesTest, Texts) {
  const Shape shape = Array(F32, {2, 3}, Layout({0, 1}));
  EXPECT_EQ(ShapeUtil::HumanString(shape), "f32[2,3]");
  EXPECT_EQ(ShapeUtil::HumanStringWithLayout(shape), "f32[2,3]{0,1}");
  StringPrinter printer;
  ShapeUtil::PrintHumanString(&printer, shape);
  ShapeUtil::PrintHumanStringWithLayout(&printer, shape);
  ProgramShape program;
  program.AddParameter(shape, "x");
  *program.mutable_result() = shape;
  ShapeUtil::PrintHumanString(&printer, program);
  EXPECT_EQ(std::move(printer).ToString(),
            "f32[2,3]f32[2,3]{0,1}(x: f32[2,3]) -> f32[2,3]");
}

TEST(ShapeUtilNamesTest, Comparisons) {
  const Shape a = F({2, 3}), half = ShapeUtil::MakeShape(F16, {2, 3});
  const Shape integers = ShapeUtil::MakeShape(S32, {2, 3});
  const Shape columns = Array(F32, {2, 3}, Layout({0, 1}));
  const Shape any = F({2, Shape::kUnboundedSize});
  EXPECT_TRUE(ShapeUtil::SameDimensions(a, integers));
  EXPECT_TRUE(ShapeUtil::SameDimensions(a, any));
  EXPECT_FALSE(ShapeUtil::SameDimensions(a, F({2, 4})));
  EXPECT_TRUE(ShapeUtil::SameRank(a, F({4, 4})));
  EXPECT_TRUE(ShapeUtil::SameElementType(a, F({4})));
  EXPECT_FALSE(ShapeUtil::SameElementType(a, half));
  EXPECT_TRUE(ShapeUtil::SameElementTypeIgnoringFpPrecision(a, half));
  EXPECT_FALSE(ShapeUtil::SameElementTypeIgnoringFpPrecision(a, integers));
  EXPECT_EQ(ShapeUtil::HigherPrecisionElementType(half, a), F32);
  EXPECT_TRUE(ShapeUtil::ElementCanUpcast(half, a));
  EXPECT_TRUE(ShapeUtil::ElementCanUpcast(integers, a));
  EXPECT_FALSE(ShapeUtil::ElementCanUpcast(a, half));
  EXPECT_TRUE(ShapeUtil::Compatible(a, columns));
  EXPECT_TRUE(ShapeUtil::Compatible(T({a}), T({any})));
  EXPECT_FALSE(ShapeUtil::Compatible(a, half));
  EXPECT_TRUE(ShapeUtil::CompatibleIgnoringElementType(a, integers));
  EXPECT_FALSE(ShapeUtil::CompatibleIgnoringElementType(a, F({2})));
  EXPECT_TRUE(ShapeUtil::CompatibleKind(T({a}), T({F({8, 8})})));
  EXPECT_FALSE(ShapeUtil::CompatibleKind(T({a}), T({F({8})})));
  const Shape buffer = *ShapeUtil::MakeValidatedBufferShape(a);
  EXPECT_FALSE(ShapeUtil::CompatibleKind(a, buffer));
  EXPECT_TRUE(ShapeUtil::CompatibleKind(a, buffer, /*ignore_buffer=*/true));
  EXPECT_TRUE(ShapeUtil::CompatibleIgnoringFpPrecision(half, columns));
  EXPECT_FALSE(ShapeUtil::CompatibleIgnoringFpPrecision(integers, a));
  EXPECT_TRUE(ShapeUtil::Equal(a, F({2, 3})));
  EXPECT_FALSE(ShapeUtil::Equal(a, columns));
  EXPECT_TRUE(ShapeUtil::EqualIgnoringElementType(a, integers));
  EXPECT_TRUE(ShapeUtil::EqualIgnoringFpPrecision(a, half));
  EXPECT_FALSE(ShapeUtil::EqualIgnoringFpPrecision(half, columns));
  EXPECT_TRUE(ShapeUtil::EqualStructure(T({a, T({a})}), T({half, T({F({})})})));
  EXPECT_FALSE(ShapeUtil::EqualStructure(T({a, T({a})}), T({T({a}), a})));
}

TEST(ShapeUtilNamesTest, DynamicShapesFitBounds) {
  const Shape four = ShapeUtil::MakeShape(F32, {4}, {true});
  EXPECT_TRUE(ShapeUtil::DynamicArrayShapeIsCompatible(four, F({5})));
  EXPECT_FALSE(ShapeUtil::DynamicArrayShapeIsCompatible(four, F({3})));
  EXPECT_FALSE(ShapeUtil::DynamicArrayShapeIsCompatible(four, F({5, 1})));
  EXPECT_TRUE(ShapeUtil::DynamicShapeIsCompatible(T({four}), T({F({4})})));
  EXPECT_FALSE(ShapeUtil::DynamicShapeIsCompatible(T({four}), T({F({3})})));
  EXPECT_FALSE(ShapeUtil::DynamicShapeIsCompatible(T({four}), four));
  // What is static is not compared.
  EXPECT_TRUE(ShapeUtil::DynamicShapeIsCompatible(F({9}), F({3})));
}

TEST(ShapeUtilNamesTest, ElementTypes) {
  const auto of = [](PrimitiveType type) {
    return ShapeUtil::MakeShape(type, {});
  };
  EXPECT_TRUE(ShapeUtil::ElementIsIntegral(of(U4)));
  EXPECT_FALSE(ShapeUtil::ElementIsIntegral(of(PRED)));
  EXPECT_TRUE(ShapeUtil::ElementIsFloating(of(BF16)));
  EXPECT_FALSE(ShapeUtil::ElementIsFloating(of(C64)));
  EXPECT_TRUE(ShapeUtil::ElementIsComplex(of(C64)));
  EXPECT_TRUE(ShapeUtil::ElementIsSigned(of(S8)));
  EXPECT_TRUE(ShapeUtil::ElementIsSigned(of(F64)));
  EXPECT_FALSE(ShapeUtil::ElementIsSigned(of(U8)));
  EXPECT_TRUE(ShapeUtil::ElementHasBitWidth(of(S4), 4));
  EXPECT_FALSE(ShapeUtil::ElementHasBitWidth(T({}), 4));
  EXPECT_TRUE(ShapeUtil::ElementIsIntegralWithBits(of(U16), 16));
  EXPECT_FALSE(ShapeUtil::ElementIsIntegralWithBits(of(F16), 16));
  EXPECT_TRUE(ShapeUtil::HasPrimitiveType(T({of(F32), T({of(S8)})}), S8));
  EXPECT_FALSE(ShapeUtil::HasPrimitiveType(T({of(F32)}), S8));
}

TEST(ShapeUtilNamesTest, Parts) {
  const Shape a = F({2}), b = ShapeUtil::MakeShape(S32, {});
  Shape shape = T({a, T({b, a})});
  EXPECT_TRUE(ShapeUtil::IsNestedTuple(shape));
  EXPECT_FALSE(ShapeUtil::IsNestedTuple(T({a})));
  EXPECT_TRUE(ShapeUtil::IsEmptyTuple(T({})));
  EXPECT_FALSE(ShapeUtil::IsEmptyTuple(a));
  EXPECT_EQ(ShapeUtil::TupleElementCount(shape), 2);
  EXPECT_EQ(ShapeUtil::GetTupleElementShape(shape, 0), a);
  EXPECT_EQ(ShapeUtil::SubshapeCount(shape), 5);
  EXPECT_EQ(ShapeUtil::SliceTuple(T({a, b, a}), 1, 3), T({b, a}));
  EXPECT_TRUE(ShapeUtil::IndexIsValid(shape, {1, 1}));
  EXPECT_FALSE(ShapeUtil::IndexIsValid(shape, {0, 0}));
  EXPECT_EQ(ShapeUtil::GetSubshape(shape, {1, 0}), b);
  EXPECT_EQ(*ShapeUtil::TryGetSubshape(shape, {1, 0}).value(), b);
  EXPECT_FALSE(ShapeUtil::TryGetSubshape(shape, {2}).ok());
  ShapeUtil::GetMutableSubshape(&shape, {1, 0})->set_element_type(U8);
  EXPECT_EQ(Text(shape), "(f32[2]{0}, (u8[], f32[2]{0}))");
  EXPECT_TRUE(ShapeUtil::IsLeafIndex(shape, {1, 1}));
  EXPECT_FALSE(ShapeUtil::IsLeafIndex(shape, {1}));
  EXPECT_EQ(ShapeUtil::GetLeafCount(a), 1);
  EXPECT_EQ(ShapeUtil::GetLeafCount(shape), 3);
  EXPECT_EQ(ShapeUtil::GetLeafCountTuple(shape), 3);
  const std::vector<ShapeUtil::IndexedShape> leaves =
      ShapeUtil::GetLeafShapes(shape);
  ASSERT_EQ(leaves.size(), 3u);
  EXPECT_EQ(leaves[2].index, ShapeIndex({1, 1}));
  EXPECT_EQ(leaves[2].shape, a);
  const ShapeUtil::IndexedShape none, one(ShapeIndex({3}), b);
  EXPECT_EQ(none.shape, Shape());
  EXPECT_EQ(one.index, ShapeIndex({3}));
  const std::vector<const Shape*> flat = ShapeUtil::FlattenTupleShape(shape);
  std::vector<const Shape*> same;
  ShapeUtil::FlattenTupleShape(shape, same);
  EXPECT_EQ(flat, same);
  EXPECT_EQ(flat[1], &shape.tuple_shapes(1).tuple_shapes(0));
  ShapeUtil::AppendShapeToTuple(b, &shape);
  ShapeUtil::UpdateTupleShape(a, 1, &shape);
  EXPECT_EQ(Text(shape), "(f32[2]{0}, f32[2]{0}, s32[])");
}

// The visits of T({a, T({b})}), as the indices in the order of the calls.
TEST(ShapeUtilNamesTest, Visits) {
  Shape shape = T({F({2}), T({F({3})})});
  std::string seen;
  const auto note = [&](const Shape&, const ShapeIndex& index) {
    seen += index.ToString();
  };
  const auto change = [&](Shape* part, const ShapeIndex& index) {
    seen += index.ToString();
    if (part->IsArray()) part->set_element_type(S8);
  };
  const auto fail = [&](const auto&, const ShapeIndex& index) {
    seen += index.ToString();
    return index == ShapeIndex({1}) || index == ShapeIndex({1, 0})
               ? absl::InternalError("stop")
               : absl::OkStatus();
  };
  const auto taken = [&] { return std::exchange(seen, ""); };
  ShapeUtil::ForEachSubshape(shape, note);
  EXPECT_EQ(taken(), "{}{0}{1}{1,0}");
  ShapeUtil::ForEachMutableSubshape(&shape, change);
  EXPECT_EQ(taken(), "{}{0}{1}{1,0}");
  EXPECT_EQ(Text(shape), "(s8[2]{0}, (s8[3]{0}))");
  EXPECT_FALSE(ShapeUtil::ForEachSubshapeWithStatus(shape, fail).ok());
  EXPECT_EQ(taken(), "{}{0}{1}");
  EXPECT_FALSE(ShapeUtil::ForEachMutableSubshapeWithStatus(&shape, fail).ok());
  EXPECT_EQ(taken(), "{}{0}{1}");
  ShapeUtil::ForEachSubshapePostOrder(shape, note);
  EXPECT_EQ(taken(), "{0}{1,0}{1}{}");
  ShapeUtil::ForEachMutableSubshapePostOrder(&shape, change);
  EXPECT_EQ(taken(), "{0}{1,0}{1}{}");
  EXPECT_FALSE(ShapeUtil::ForEachSubshapePostOrderWithStatus(shape, fail).ok());
  EXPECT_EQ(taken(), "{0}{1,0}");
  EXPECT_FALSE(
      ShapeUtil::ForEachMutableSubshapePostOrderWithStatus(&shape, fail).ok());
  EXPECT_EQ(taken(), "{0}{1,0}");
  ShapeUtil::ForEachLeafShape(shape, note);
  EXPECT_EQ(taken(), "{0}{1,0}");
  ShapeUtil::ForEachMutableLeafShape(&shape, change);
  EXPECT_EQ(taken(), "{0}{1,0}");
  EXPECT_EQ(ShapeUtil::ForEachLeafShapeWithStatus(shape, fail).message(),
            "stop");
  EXPECT_EQ(
      ShapeUtil::ForEachMutableLeafShapeWithStatus(&shape, fail).message(),
      "stop");
}

}  // namespace
}  // namespace xla
