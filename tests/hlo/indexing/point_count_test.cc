// Compares counts of points and elements with an enumeration.
#include "xla/hlo/indexing/point_count.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "xla/hlo/indexing/indexing_map.h"

namespace xla {
namespace {

// Tries all values of dimensions and ranges; there are no runtime variables.
void CheckCounts(const IndexingMap& map, std::vector<int64_t> sizes) {
  double points = 0;
  std::set<std::vector<int64_t>> elements;
  std::vector<int64_t> values;
  for (const auto& variable : map.variables()) {
    values.push_back(variable.range.lower);
  }
  for (bool more = true; more;) {
    if (const auto index = map.Evaluate(values); index.has_value()) {
      ++points;
      elements.insert(*index);
    }
    more = false;
    for (size_t i = 0; i < values.size() && !more; ++i) {
      const Interval& range = map.variables()[i].range;
      more = ++values[i] <= range.upper;
      if (!more) values[i] = range.lower;
    }
  }
  EXPECT_EQ(CountPoints(map), points) << map.ToString();
  EXPECT_EQ(CountElements(map, sizes), static_cast<double>(elements.size()))
      << map.ToString();
}

TEST(PointCountTest, Products) {
  IndexingMap map({3, 4});
  const IndexExpr k = map.AddRange(Interval::Below(5));
  map.AddResult(map.dimension(0));
  map.AddResult(k);
  CheckCounts(map, {3, 5});
}

TEST(PointCountTest, StridesLeaveElementsOut) {
  IndexingMap map({4, 2});
  map.AddResult(map.space().Multiply(map.dimension(0), 3));
  map.AddResult(map.space().Add(map.space().Multiply(map.dimension(1), -2), 3));
  CheckCounts(map, {10, 4});
}

// Returns the map of windows of `size` at every `stride` of an array that is
// padded by `padding`.
IndexingMap WindowMap(int64_t outputs, int64_t size, int64_t stride,
                      int64_t dilation, int64_t padding, int64_t elements) {
  IndexingMap map({outputs});
  const IndexSpace& space = map.space();
  const IndexExpr s = map.AddRange(Interval::Below(size));
  const IndexExpr at =
      space.Add(space.Add(space.Multiply(map.dimension(0), stride),
                          space.Multiply(s, dilation)),
                -padding);
  map.Constrain(at, Interval::Below(elements));
  map.AddResult(at);
  return map;
}

TEST(PointCountTest, Windows) {
  CheckCounts(WindowMap(8, 3, 1, 1, 1, 8), {8});
  CheckCounts(WindowMap(4, 3, 2, 1, 0, 9), {9});
  CheckCounts(WindowMap(3, 2, 5, 2, 2, 12), {12});
  CheckCounts(WindowMap(3, 2, 3, 1, 0, 8), {8});
}

TEST(PointCountTest, Quotients) {
  IndexingMap map({6, 4});
  const IndexSpace& space = map.space();
  const IndexExpr position =
      space.Add(space.Multiply(map.dimension(0), 4), map.dimension(1));
  map.AddResult(space.FloorDiv(position, 6));
  map.AddResult(space.Mod(position, 6));
  CheckCounts(map, {4, 6});
}

TEST(PointCountTest, ConstraintsOnOneVariable) {
  IndexingMap map({9, 2});
  map.Constrain(map.dimension(0), {2, 8});
  map.Constrain(map.space().Mod(map.space().Add(map.dimension(0), -2), 3),
                Interval::Point(0));
  map.AddResult(map.space().FloorDiv(map.space().Add(map.dimension(0), -2), 3));
  CheckCounts(map, {3});
}

// Values of d0 in `inside` for which (d0 + shift) mod step is `remainder`.
IndexingMap RemainderMap(int64_t size, Interval inside, int64_t shift,
                         int64_t step, int64_t remainder) {
  IndexingMap map({size});
  const IndexSpace& space = map.space();
  map.Constrain(map.dimension(0), inside);
  map.Constrain(space.Mod(space.Add(map.dimension(0), shift), step),
                Interval::Point(remainder));
  map.AddResult(map.dimension(0));
  return map;
}

TEST(PointCountTest, Remainders) {
  for (const int64_t shift : {-4, -1, 0, 2, 7}) {
    for (const int64_t remainder : {0, 1, 2}) {
      CheckCounts(RemainderMap(20, {0, 19}, shift, 3, remainder), {20});
      CheckCounts(RemainderMap(20, {5, 13}, shift, 3, remainder), {20});
      CheckCounts(RemainderMap(20, {6, 6}, shift, 3, remainder), {20});
    }
  }
  // Too many to try.
  EXPECT_EQ(CountPoints(RemainderMap(3000001, {0, 3000000}, 0, 3, 0)), 1000001);
  EXPECT_EQ(CountPoints(RemainderMap(3000001, {1, 3000000}, 0, 3, 0)), 1000000);
}

TEST(PointCountTest, Nothing) {
  IndexingMap map({4});
  map.Constrain(map.dimension(0), {7, 9});
  map.AddResult(map.dimension(0));
  CheckCounts(map, {4});
}

TEST(PointCountTest, RuntimeVariables) {
  IndexingMap map({4, 2});
  const IndexExpr start = map.AddRuntime({0, 60}, 1, {IndexExpr::Constant(0)});
  map.AddResult(map.space().Add(map.dimension(0), start));
  map.AddResult(map.dimension(1));
  EXPECT_EQ(CountPoints(map), 8);
  EXPECT_EQ(CountElements(map, {64, 2}), 8);
}

TEST(PointCountTest, TooManyToTry) {
  const IndexingMap map = WindowMap(1 << 20, 3, 1, 1, 1, 1 << 20);
  EXPECT_EQ(CountPoints(map), 3.0 * (1 << 20));
  EXPECT_EQ(CountElements(map, {1 << 20}), 1 << 20);
}

}  // namespace
}  // namespace xla
