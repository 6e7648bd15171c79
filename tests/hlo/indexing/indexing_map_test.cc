// Indexing maps: constraints, composition, values, text.
#include "xla/hlo/indexing/indexing_map.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace xla {
namespace {

std::optional<std::vector<int64_t>> Index(std::vector<int64_t> index) {
  return index;
}

// Returns the map of a pad from [size] to [result], with `low` elements before
// the first one and `interior` between elements.
IndexingMap Padding(int64_t size, int64_t low, int64_t interior,
                    int64_t result) {
  IndexingMap map({result});
  const IndexSpace& space = map.space();
  const IndexExpr place = space.Add(map.dimension(0), -low);
  const IndexExpr element = space.FloorDiv(place, interior + 1);
  map.Constrain(space.Mod(place, interior + 1), Interval::Point(0));
  map.Constrain(element, Interval::Below(size));
  map.AddResult(element);
  return map;
}

IndexingMap Reshape(std::vector<int64_t> from, std::vector<int64_t> to) {
  IndexingMap map(to);
  const IndexSpace& space = map.space();
  IndexExpr position;
  for (size_t i = 0; i < to.size(); ++i) {
    position = space.Add(space.Multiply(position, to[i]),
                         map.dimension(static_cast<int64_t>(i)));
  }
  std::vector<IndexExpr> results;
  for (size_t i = from.size(); i-- > 1;) {
    results.push_back(space.Mod(position, from[i]));
    position = space.FloorDiv(position, from[i]);
  }
  if (!from.empty()) map.AddResult(position);
  for (size_t i = results.size(); i-- > 0;) map.AddResult(results[i]);
  return map;
}

TEST(IndexingMapTest, Identity) {
  const IndexingMap map = IndexingMap::Identity({2, 3});
  EXPECT_TRUE(map.IsIdentity());
  EXPECT_EQ(map.ToString(),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 1], d1 in [0, 2]");
  EXPECT_EQ(map.Evaluate({1, 2}), Index({1, 2}));
}

TEST(IndexingMapTest, DimensionsOfOneElementAreConstants) {
  const IndexingMap map = IndexingMap::Identity({1, 3});
  EXPECT_TRUE(map.IsIdentity());
  EXPECT_EQ(map.results()[0], IndexExpr());
}

TEST(IndexingMapTest, ConstraintsTellWhatIsOutside) {
  const IndexingMap map = Padding(3, 1, 1, 8);
  EXPECT_EQ(map.ToString(),
            "(d0) -> ((d0 + 1) floordiv 2 - 1), domain: d0 in [0, 7], "
            "(d0 + 1) mod 2 in [0, 0], d0 in [1, 6]");
  const std::vector<std::optional<std::vector<int64_t>>> expected = {
      std::nullopt, Index({0}), std::nullopt, Index({1}),
      std::nullopt, Index({2}), std::nullopt, std::nullopt};
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(map.Evaluate({i}), expected[i]);
  EXPECT_FALSE(map.empty());
}

TEST(IndexingMapTest, ConstraintsThatAlwaysHoldGo) {
  IndexingMap map({6});
  map.Constrain(map.dimension(0), {-1, 5});
  EXPECT_TRUE(map.constraints().empty());
  map.Constrain(map.space().Multiply(map.dimension(0), 2), {3, 9});
  map.Constrain(map.space().Multiply(map.dimension(0), -1), {-3, 0});
  ASSERT_EQ(map.constraints().size(), 1);
  EXPECT_EQ(map.constraints()[0].expr, map.dimension(0));
  EXPECT_EQ(map.constraints()[0].interval, (Interval{2, 3}));
}

TEST(IndexingMapTest, EmptyWhereNoIndexIsInside) {
  EXPECT_TRUE(IndexingMap::Identity({2, 0}).empty());
  IndexingMap map({6});
  map.Constrain(map.dimension(0), {7, 9});
  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.Evaluate({1}), std::nullopt);
  IndexingMap apart({6});
  apart.Constrain(apart.dimension(0), {0, 2});
  apart.Constrain(apart.dimension(0), {3, 9});
  EXPECT_TRUE(apart.empty());
}

TEST(IndexingMapTest, ReshapesCompose) {
  const IndexingMap there = Reshape({6, 4, 5}, {3, 8, 5});
  EXPECT_EQ(there.ToString(),
            "(d0, d1, d2) -> (d0 * 2 + d1 floordiv 4, d1 mod 4, d2), "
            "domain: d0 in [0, 2], d1 in [0, 7], d2 in [0, 4]");
  const IndexingMap back = Reshape({3, 8, 5}, {6, 4, 5});
  EXPECT_TRUE(there.Compose(back).IsIdentity());
  EXPECT_TRUE(back.Compose(there).IsIdentity());
  EXPECT_TRUE(Reshape({6, 4, 5}, {8, 15})
                  .Compose(Reshape({120}, {6, 4, 5}))
                  .Compose(Reshape({8, 15}, {120}))
                  .IsIdentity());
}

// The results behind a pad are simplified for indices inside of its operand.
TEST(IndexingMapTest, ConstraintsSimplifyResults) {
  const IndexingMap padding = Padding(4, 2, 0, 100);
  IndexingMap halves({4});
  halves.AddResult(halves.space().FloorDiv(halves.dimension(0), 4));
  const IndexingMap map = padding.Compose(halves);
  EXPECT_EQ(map.results()[0], IndexExpr());
  EXPECT_EQ(map.Evaluate({1}), std::nullopt);
  EXPECT_EQ(map.Evaluate({5}), Index({0}));
}

TEST(IndexingMapTest, RangesAndRuntimeVariablesComeLast) {
  // A sum over 4 columns of a window at row `start` of [10, 4].
  IndexingMap sum({3});
  const IndexExpr column = sum.AddRange(Interval::Below(4));
  sum.AddResult(sum.dimension(0));
  sum.AddResult(column);
  IndexingMap slice({3, 4});
  const IndexExpr start = slice.AddRuntime({0, 7}, 1, {});
  slice.AddResult(slice.space().Add(slice.dimension(0), start));
  slice.AddResult(slice.dimension(1));
  const IndexingMap map = sum.Compose(slice);
  EXPECT_EQ(map.ToString(),
            "(d0)[s0]{rt0} -> (d0 + rt0, s0), domain: d0 in [0, 2], "
            "s0 in [0, 3], rt0 in [0, 7] from operand 1[]");
  EXPECT_EQ(map.Evaluate({1, 3, 5}), Index({6, 3}));
}

TEST(IndexingMapTest, DependsOnWhatARuntimeVariableIsReadAt) {
  IndexingMap gather({5, 3});
  const IndexExpr row = gather.AddRuntime({0, 9}, 1, {gather.dimension(0)});
  gather.AddResult(row);
  EXPECT_TRUE(gather.DependsOn(0));
  EXPECT_FALSE(gather.DependsOn(1));
  EXPECT_TRUE(gather.DependsOn(2));
}

TEST(IndexingMapTest, ComposeSubstitutesInRuntimeIndices) {
  IndexingMap reverse({5});
  reverse.AddResult(reverse.space().Add(
      reverse.space().Multiply(reverse.dimension(0), -1), 4));
  IndexingMap gather({5});
  gather.AddResult(gather.AddRuntime({0, 9}, 1, {gather.dimension(0)}));
  EXPECT_EQ(reverse.Compose(gather).ToString(),
            "(d0){rt0} -> (rt0), domain: d0 in [0, 4], rt0 in [0, 9] from "
            "operand 1[-d0 + 4]");
}

TEST(IndexingMapTest, KnowsWhatDoesNotFit) {
  IndexingMap map({1 << 20});
  map.AddResult(map.space().Multiply(map.dimension(0), INT64_MAX / 2));
  EXPECT_TRUE(map.known());
  IndexingMap twice({INT64_MAX});
  twice.AddResult(twice.space().Multiply(twice.dimension(0), 3));
  EXPECT_FALSE(map.Compose(twice).known());
}

}  // namespace
}  // namespace xla
