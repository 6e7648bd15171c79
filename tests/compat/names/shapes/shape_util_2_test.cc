// Uses the names of xla/shape_util.h that derive shapes from shapes, tell which
// reshapes and transposes move nothing, and go over indices.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

Shape Array(absl::Span<const int64_t> sizes,
            absl::Span<const int64_t> minor_to_major) {
  return ShapeUtil::MakeShapeWithDenseLayout(F32, sizes, minor_to_major);
}
Shape F(absl::Span<const int64_t> sizes) {
  return ShapeUtil::MakeShape(F32, sizes);
}
std::string Text(const Shape& shape) { return shape.ToString(true); }

TEST(ShapeUtil2NamesTest, ChangesElements) {
  const Shape shape = ShapeUtil::MakeTupleShape({F({2}), F({3})});
  EXPECT_EQ(Text(ShapeUtil::ChangeElementType(shape, S8)),
            "(s8[2]{0}, s8[3]{0})");
  Shape packed = ShapeUtil::MakeShape(S4, {5});
  ShapeUtil::UpdateElementSizeInBits(&packed, /*pack_subbyte_types=*/true);
  EXPECT_EQ(Text(packed), "s4[5]{0:E(4)}");
  EXPECT_EQ(Text(ShapeUtil::ChangeElementType(packed, F32)), "f32[5]{0}");
  EXPECT_EQ(Text(ShapeUtil::ChangeElementType(packed, U4)), "u4[5]{0:E(4)}");
  ShapeUtil::UpdateElementSizeInBits(&packed, false);
  EXPECT_EQ(Text(packed), "s4[5]{0}");
  EXPECT_EQ(
      Text(ShapeUtil::ComplexComponentShape(ShapeUtil::MakeShape(C128, {2}))),
      "f64[2]{0}");
}

TEST(ShapeUtil2NamesTest, ChangesDynamicDimensions) {
  const Shape dynamic = ShapeUtil::MakeShape(F32, {2, 3}, {true, false});
  Shape prefixed = dynamic;
  prefixed.mutable_layout()->set_dynamic_shape_metadata_prefix_bytes(8);
  EXPECT_EQ(Text(ShapeUtil::MakeStaticShape(prefixed)), "f32[2,3]{1,0}");
  EXPECT_EQ(Text(ShapeUtil::MakeShapeWithStaticDimensions(dynamic)),
            "f32[2,3]{1,0}");
  Shape shape = F({5, 7});
  ShapeUtil::CopyDynamicDimensions(&shape, dynamic);
  EXPECT_EQ(Text(shape), "f32[<=5,7]{1,0}");
  Shape tuple = ShapeUtil::MakeTupleShape({F({}), shape});
  ShapeUtil::UpdateDynamicDimension(&tuple, {1}, 1, true);
  ShapeUtil::UpdateDynamicDimension(&tuple, {1}, 0, false);
  EXPECT_EQ(Text(tuple), "(f32[], f32[5,<=7]{1,0})");
}

TEST(ShapeUtil2NamesTest, AddsAndDropsDimensions) {
  Shape shape = Array({2, 3}, {0, 1});
  EXPECT_EQ(Text(ShapeUtil::PrependMajorDimension(9, shape)),
            "f32[9,2,3]{1,2,0}");
  ShapeUtil::AppendMajorDimension(5, &shape);
  EXPECT_EQ(Text(shape), "f32[2,3,5]{0,1,2}");
  ShapeUtil::AppendMinorDimension(7, &shape);
  EXPECT_EQ(Text(shape), "f32[2,3,5,7]{3,0,1,2}");
  EXPECT_EQ(
      Text(ShapeUtil::InsertDimensionAtIndex(Array({2, 3}, {0, 1}), 1, 5)),
      "f32[2,5,3]{0,2,1}");
  EXPECT_EQ(Text(ShapeUtil::InsertDimensionsAtIndex(F({2, 3}), 2, {5, 7})),
            "f32[2,3,5,7]{3,2,1,0}");
  EXPECT_EQ(Text(ShapeUtil::DeleteDimension(1, shape)), "f32[2,5,7]{2,0,1}");
  EXPECT_EQ(Text(ShapeUtil::DeleteDimensions({3, 0}, shape)), "f32[3,5]{0,1}");
  EXPECT_EQ(Text(ShapeUtil::FilterDimensions(
                [](int64_t dim) { return dim % 2 == 0; }, shape)),
            "f32[2,5]{0,1}");
  EXPECT_EQ(Text(ShapeUtil::DropDegenerateDimensions(F({1, 4, 1, 0}))),
            "f32[4,0]{1,0}");
  EXPECT_TRUE(ShapeUtil::HasDegenerateDimensions(F({1, 4})));
  EXPECT_FALSE(ShapeUtil::HasDegenerateDimensions(F({0, 4})));
}

TEST(ShapeUtil2NamesTest, ReordersDimensions) {
  const Shape shape = F({2, 3, 5});
  EXPECT_EQ(Text(ShapeUtil::PermuteDimensions({2, 0, 1}, shape)),
            "f32[5,2,3]{0,2,1}");
  EXPECT_EQ(Text(ShapeUtil::PermuteDimensionsIgnoringLayout({2, 0, 1}, shape)),
            "f32[5,2,3]{2,1,0}");
  EXPECT_EQ(Text(ShapeUtil::ReorderLogicalDimensions(shape, {1, 0, 2})),
            "f32[3,2,5]{2,0,1}");
  EXPECT_EQ(Text(ShapeUtil::MoveDimToMajor(shape, 1)), "f32[2,3,5]{2,0,1}");
  EXPECT_EQ(Text(ShapeUtil::MoveDimToMajor(
                Shape(std::vector<Shape>{Shape(F32, {2, 3})}), 1)),
            "(f32[2,3]{0,1})");
  EXPECT_TRUE(ShapeUtil::IsEffectivelyMostMajorDimension(shape, 0));
  EXPECT_FALSE(ShapeUtil::IsEffectivelyMostMajorDimension(shape, 1));
  EXPECT_TRUE(ShapeUtil::IsEffectivelyMostMajorDimension(F({1, 3, 5}), 1));
  EXPECT_TRUE(ShapeUtil::LastDimIsMinorMost(shape));
  EXPECT_FALSE(ShapeUtil::LastDimIsMinorMost(Array({2, 3}, {0, 1})));
  EXPECT_TRUE(ShapeUtil::LastDimIsMinorMost(Shape(F32, {2, 3})));
}

TEST(ShapeUtil2NamesTest, DropsTheDevice) {
  Shape device = ShapeUtil::MakeShapeWithDenseLayout(F32, {2, 3}, {0, 1},
                                                     {Tile({2})}, 4, 16, 5);
  device.mutable_layout()->set_dynamic_shape_metadata_prefix_bytes(8);
  EXPECT_FALSE(ShapeUtil::DeviceShapeIsHostShape(device));
  const Shape host = ShapeUtil::DeviceShapeToHostShape(device);
  EXPECT_EQ(Text(host), "f32[2,3]{0,1}");
  EXPECT_TRUE(ShapeUtil::DeviceShapeIsHostShape(host));
  Shape split = F({4});
  split.mutable_layout()->add_split_configs(SplitConfig(0, {1}));
  EXPECT_TRUE(ShapeUtil::DeviceShapeIsHostShape(split));
  EXPECT_EQ(ShapeUtil::DeviceShapeToHostShape(split), split);
}

TEST(ShapeUtil2NamesTest, ReshapesKeepDimensions) {
  const Shape from = F({2, 3, 11, 13, 35}), to = F({6, 11, 1, 13, 5, 7});
  EXPECT_THAT(ShapeUtil::DimensionsUnmodifiedByReshape(from, to),
              ElementsAre(Pair(2, 1), Pair(3, 3)));
  EXPECT_THAT(*ShapeUtil::ReshapeLeavesDimensionsUnmodified(from, to, {2, 3}),
              ElementsAre(1, 3));
  EXPECT_EQ(ShapeUtil::ReshapeLeavesDimensionsUnmodified(from, to, {1}),
            std::nullopt);
  const std::optional<ShapeUtil::ShapeEqualityDescriptor> ones =
      ShapeUtil::InsertedOrDeleted1SizedDimensions(F({1, 4, 5}), F({4, 1, 5}));
  ASSERT_TRUE(ones.has_value());
  EXPECT_THAT(ones->deleted_dimensions, ElementsAre(0));
  EXPECT_THAT(ones->inserted_dimensions, ElementsAre(1));
  EXPECT_FALSE(ShapeUtil::InsertedOrDeleted1SizedDimensions(F({4}), F({2, 2}))
                   .has_value());
}

TEST(ShapeUtil2NamesTest, Bitcasts) {
  const Shape rows = F({2, 3}), columns = Array({3, 2}, {0, 1});
  const Shape integers = ShapeUtil::ChangeElementType(columns, S32);
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(rows, columns, {1, 0}));
  EXPECT_FALSE(ShapeUtil::TransposeIsBitcast(rows, F({3, 2}), {1, 0}));
  EXPECT_FALSE(ShapeUtil::TransposeIsBitcast(rows, integers, {1, 0}));
  EXPECT_TRUE(ShapeUtil::TransposeIsBitcast(rows, integers, {1, 0},
                                            /*ignore_element_type=*/true));
  EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(rows, F({6})));
  EXPECT_FALSE(ShapeUtil::ReshapeIsBitcast(columns, F({6})));
  EXPECT_FALSE(ShapeUtil::ReshapeIsBitcast(rows, F({7})));
  EXPECT_TRUE(ShapeUtil::ReshapeIsBitcast(rows, ShapeUtil::MakeShape(S32, {6}),
                                          /*ignore_element_type=*/true));
  EXPECT_TRUE(ShapeUtil::IsReshapeOrTransposeBitcast(rows, columns));
  EXPECT_FALSE(ShapeUtil::IsReshapeOrTransposeBitcast(rows, integers));
  EXPECT_TRUE(ShapeUtil::IsReshapeOrTransposeBitcast(rows, integers, true));
  EXPECT_THAT(*ShapeUtil::DeduceTransposeDimensionsForBitcast(rows, columns),
              ElementsAre(1, 0));
  EXPECT_EQ(ShapeUtil::DeduceTransposeDimensionsForBitcast(rows, F({3, 2})),
            std::nullopt);
}

TEST(ShapeUtil2NamesTest, BitcastsInSteps) {
  using Steps = ShapeUtil::BitcastDecomposition;
  const Shape rows = F({2, 3, 4});
  const Steps reshape = ShapeUtil::DecomposeBitcast(rows, F({6, 4}));
  EXPECT_TRUE(std::holds_alternative<ShapeUtil::BitcastDecompositionReshape>(
      reshape.value()));
  const Steps transpose =
      ShapeUtil::DecomposeBitcast(rows, Array({4, 2, 3}, {0, 2, 1}));
  EXPECT_THAT(
      std::get<ShapeUtil::BitcastDecompositionTranspose>(transpose.value())
          .transpose_dims,
      ElementsAre(2, 0, 1));
  const Shape to = Array({4, 6}, {0, 1});
  EXPECT_TRUE(ShapeUtil::IsDecomposableBitcast(rows, to));
  const Steps both = ShapeUtil::DecomposeBitcast(rows, to);
  const auto& trt = std::get<ShapeUtil::BitcastDecompositionTrt>(both.value());
  EXPECT_TRUE(trt.IsTranspose1Identity());
  EXPECT_FALSE(trt.IsTranspose2Identity());
  EXPECT_THAT(trt.transpose1_dims, ElementsAre(0, 1, 2));
  EXPECT_EQ(trt.transpose1_shape, rows);
  EXPECT_EQ(trt.reshape_shape, F({6, 4}));
  EXPECT_THAT(trt.transpose2_dims, ElementsAre(1, 0));
  EXPECT_EQ(ShapeUtil::DecomposeBitcastToTrt(rows, to)->reshape_shape,
            F({6, 4}));
  EXPECT_FALSE(ShapeUtil::IsDecomposableBitcast(rows, F({5})));
  EXPECT_FALSE(ShapeUtil::DecomposeBitcast(rows, F({5})).has_value());
}

TEST(ShapeUtil2NamesTest, AlignsLayouts) {
  const std::optional<Shape> aligned =
      ShapeUtil::AlignLayouts(Array({2, 12}, {0, 1}), F({2, 3, 4}));
  EXPECT_EQ(Text(aligned.value()), "f32[2,3,4]{0,2,1}");
  EXPECT_EQ(ShapeUtil::AlignLayouts(Array({2, 3}, {0, 1}), F({6})),
            std::nullopt);
}

TEST(ShapeUtil2NamesTest, NormalizesTransposes) {
  absl::InlinedVector<int64_t, 3> permutation;
  EXPECT_THAT(
      ShapeUtil::GetNormalizedLogicalTransposeShape(
          F({10, 1, 11, 32}), F({32, 1, 10, 11}), {3, 1, 0, 2}, permutation)
          .value(),
      ElementsAre(32, 110));
  EXPECT_THAT(permutation, ElementsAre(1, 0));
  EXPECT_THAT(ShapeUtil::GetNormalizedLogicalTransposeShape(
                  F({2, 3}), F({2, 3}), {0, 1}, permutation)
                  .value(),
              ElementsAre(6));
  EXPECT_THAT(permutation, IsEmpty());
  EXPECT_FALSE(ShapeUtil::GetNormalizedLogicalTransposeShape(
                   F({2, 3}), Array({3, 2}, {0, 1}), {1, 0}, permutation)
                   .ok());
}

using Indices = std::vector<std::vector<int64_t>>;

// Notes the indices and ends the loop after `count` of them.
struct Seen {
  mutable Indices indices;
  size_t count = 100;
  bool operator()(absl::Span<const int64_t> index) const {
    indices.emplace_back(index.begin(), index.end());
    return indices.size() < count;
  }
};

TEST(ShapeUtil2NamesTest, LoopsOverIndices) {
  const Indices columns = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
  const Indices some = {{1, 2}, {1, 5}, {3, 2}, {3, 5}};
  const Shape shape = Array({2, 2}, {0, 1}), large = F({9, 9});
  const std::vector<int64_t> base = {1, 2}, count = {3, 4}, incr = {2, 3};
  {
    Seen all, part;
    ShapeUtil::ForEachIndex(shape, all);
    EXPECT_EQ(all.indices, columns);
    ShapeUtil::ForEachIndex(large, base, count, incr, part);
    EXPECT_EQ(part.indices, some);
  }
  {
    Seen all, part;
    ShapeUtil::ForEachIndexNoStatus(shape, all);
    EXPECT_EQ(all.indices, columns);
    ShapeUtil::ForEachIndexNoStatus(large, base, count, incr, part);
    EXPECT_EQ(part.indices, some);
  }
  {
    Seen all, part, space;
    EXPECT_TRUE(ShapeUtil::ForEachIndexWithStatus(shape, all).ok());
    EXPECT_EQ(all.indices, columns);
    EXPECT_TRUE(
        ShapeUtil::ForEachIndexWithStatus(large, base, count, incr, part).ok());
    EXPECT_EQ(part.indices, some);
    ShapeUtil::IndexIterationSpace region;
    region.index_base = base;
    region.index_count = count;
    region.index_incr = incr;
    EXPECT_TRUE(ShapeUtil::ForEachIndexWithStatus(large, region, space).ok());
    EXPECT_EQ(space.indices, some);
  }
  Seen scalar, none, first;
  ShapeUtil::ForEachIndex(F({}), scalar);
  EXPECT_EQ(scalar.indices, Indices{{}});
  ShapeUtil::ForEachIndex(F({2, 0}), none);
  EXPECT_THAT(none.indices, IsEmpty());
  // An increment of 0 pins its dimension.
  Seen pinned;
  ShapeUtil::ForEachIndex(large, {4, 0}, {0, 2}, {0, 1}, pinned);
  EXPECT_EQ(pinned.indices, (Indices{{4, 0}, {4, 1}}));
  first.count = 1;
  ShapeUtil::ForEachIndex(shape, first);
  EXPECT_EQ(first.indices.size(), 1u);
}

TEST(ShapeUtil2NamesTest, LoopsEndAtErrors) {
  int calls = 0;
  const auto fail = [&](absl::Span<const int64_t>) -> absl::StatusOr<bool> {
    ++calls;
    return absl::InternalError("stop");
  };
  const ShapeUtil::ForEachVisitorFunction visitor = fail;
  EXPECT_EQ(ShapeUtil::ForEachIndexWithStatus(F({4}), visitor).message(),
            "stop");
  ShapeUtil::ForEachIndex(F({4}), visitor);  // drops the error
  EXPECT_EQ(calls, 2);
  const auto never = [](absl::Span<const int64_t>) { return false; };
  const ShapeUtil::ForEachVisitorFunctionNoStatus plain = never;
  ShapeUtil::ForEachIndexNoStatus(F({4}), plain);
}

TEST(ShapeUtil2NamesTest, ParallelLoops) {
  const int threads = ShapeUtil::GetForEachIndexParallelThreadCount();
  EXPECT_GE(threads, 1);
  std::vector<int> visits(6);
  const auto visit = [&](absl::Span<const int64_t> index,
                         int thread) -> absl::StatusOr<bool> {
    EXPECT_LT(thread, threads);
    ++visits[index[0] * 3 + index[1]];
    return true;
  };
  const ShapeUtil::ForEachParallelVisitorFunction visitor = visit;
  const Shape shape = F({2, 3});
  ShapeUtil::ForEachIndexParallel(shape, visitor);
  EXPECT_THAT(visits, ElementsAre(1, 1, 1, 1, 1, 1));
  ShapeUtil::ForEachIndexParallel(shape, {0, 1}, {1, 2}, {1, 1}, visitor);
  EXPECT_THAT(visits, ElementsAre(1, 2, 2, 1, 1, 1));
  EXPECT_TRUE(ShapeUtil::ForEachIndexParallelWithStatus(shape, visitor).ok());
  EXPECT_TRUE(ShapeUtil::ForEachIndexParallelWithStatus(shape, {1, 0}, {1, 1},
                                                        {1, 1}, visitor)
                  .ok());
  EXPECT_THAT(visits, ElementsAre(2, 3, 3, 3, 2, 2));
  EXPECT_FALSE(ShapeUtil::ForEachIndexParallelWithStatus(
                   shape,
                   [](absl::Span<const int64_t>, int) -> absl::StatusOr<bool> {
                     return absl::InternalError("stop");
                   })
                   .ok());
}

}  // namespace
}  // namespace xla
