// Uses every public name of xla/array.h.
#include "xla/array.h"

#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/types.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(ArrayNamesTest, Constructors) {
  const Array<int> zeros({2, 3});
  EXPECT_THAT(zeros, ElementsAre(0, 0, 0, 0, 0, 0));
  const std::vector<int64_t> sizes = {2, 2};
  EXPECT_THAT(Array<int>(sizes, 7), ElementsAre(7, 7, 7, 7));
  const std::vector<int> values = {1, 2, 3, 4};
  EXPECT_EQ(Array<int>(sizes, values), Array<int>({{1, 2}, {3, 4}}));
  const Array<int> three({{{1, 2}, {3, 4}}});
  EXPECT_THAT(three.dimensions(), ElementsAre(1, 2, 2));
  const Array<int> four({{{{1, 2}}, {{3, 4}}}});
  EXPECT_THAT(four.dimensions(), ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(Array<float>({1.0f, 2.0f}).dimensions(), ElementsAre(2));
  EXPECT_EQ(Array<half>({{1.0f}, {2.0f}})(1, 0), half(2));
  EXPECT_EQ(Array<bfloat16>({{{1.0f, 2.0f}}, {{3.0f, 4.0f}}})(1, 0, 0),
            bfloat16(3));
  EXPECT_EQ(Array<float8_e5m2>({{{{4.0f, 5.0f}}}})(0, 0, 0, 1), float8_e5m2(5));
}

TEST(ArrayNamesTest, Lists) {
  const Array<int>::InitializerList2D<int> two = {{1, 2}, {3, 4}};
  EXPECT_EQ(Array<int>(two), Array<int>({{1, 2}, {3, 4}}));
  const Array<float>::InitializerList1D<float> one = {1.0f, 2.0f};
  EXPECT_EQ(Array<float>(one)(1), 2.0f);
  EXPECT_EQ(Array<int>(Array<int>::InitializerList3D<int>{{{1}}})(0, 0, 0), 1);
  EXPECT_EQ(Array<int>(Array<int>::InitializerList4D<int>{{{{2}}}})(0, 0, 0, 0),
            2);
  static_assert(std::is_same_v<Array<half>::value_type, half>);
}

TEST(ArrayNamesTest, CopiesAndMoves) {
  Array<int> a({{1, 2}});
  Array<int> copy = a;
  copy(0, 0) = 9;
  EXPECT_EQ(a(0, 0), 1);
  EXPECT_TRUE(a != copy);
  a = copy;
  EXPECT_TRUE(a == copy);
  const Array<int> moved = std::move(copy);
  EXPECT_EQ(moved, a);
  EXPECT_FALSE(Array<int>({{1, 2}}) == Array<int>({{1}, {2}}));
  EXPECT_EQ(absl::HashOf(a), absl::HashOf(moved));
}

TEST(ArrayNamesTest, Fills) {
  Array<int> a({2, 2});
  a.Fill(4);
  EXPECT_THAT(a, ElementsAre(4, 4, 4, 4));
  a.FillIota(-1);
  EXPECT_THAT(a, ElementsAre(-1, 0, 1, 2));
  a.FillRepeatedIota(5, 3);
  EXPECT_THAT(a, ElementsAre(5, 6, 7, 5));
  a.FillWithMultiples(3);
  EXPECT_THAT(a, ElementsAre(0, 3, 6, 9));
  a.SetValues({8, 7, 6, 5});
  EXPECT_THAT(a, ElementsAre(8, 7, 6, 5));
  a.SetValues(std::vector<int>{1, 2, 3, 4});
  EXPECT_THAT(a, ElementsAre(1, 2, 3, 4));
}

// The generator and the distributions are the standard library's.
TEST(ArrayNamesTest, NormalNumbers) {
  Array<double> a({100}), b({100});
  a.FillRandom(2.0, 1.0, 7);
  std::mt19937 engine(7);
  std::normal_distribution<double> normal(1.0, 2.0);
  for (const double value : a) EXPECT_EQ(value, normal(engine));
  b.FillRandomDouble(2.0, 1.0, 7);
  EXPECT_EQ(a, b);
  a.FillRandom(1.0);
  b.FillRandom(1.0, 0.0, 12345);
  EXPECT_EQ(a, b);
  Array<bool> signs({100});
  signs.FillRandomDouble(1.0);
  for (int64_t i = 0; i < 100; ++i) EXPECT_EQ(signs(i), b(i) > 0);
  Array<complex64> complex({2});
  complex.FillRandom(complex64(1, 5));
  EXPECT_EQ(complex(1), complex64(b(2), b(3)));
}

TEST(ArrayNamesTest, UniformNumbers) {
  Array<int8_t> a({200});
  a.FillRandomUniform(-1, 1);
  EXPECT_THAT(std::set<int>(a.begin(), a.end()), ElementsAre(-1, 0, 1));
  Array<int8_t> b({200});
  b.FillRandomUniform(-1, 1, 12345);
  EXPECT_EQ(a, b);
  Array<s4> narrow({200});
  narrow.FillRandomUniform(s4(6), s4(7));
  for (const s4 value : narrow) EXPECT_GE(static_cast<int>(value), 6);
  Array<bool> coins({200});
  coins.FillRandomBool();
  EXPECT_THAT(std::set<bool>(coins.begin(), coins.end()),
              ElementsAre(false, true));
  Array<bool> others({200});
  others.FillRandomBool(99);
  EXPECT_NE(coins, others);
}

TEST(ArrayNamesTest, Visits) {
  Array<int> a({{1, 2}, {3, 4}});
  const auto double_it = [](absl::Span<const int64_t> at, int* value) {
    *value *= 2;
    EXPECT_EQ(at.size(), 2u);
  };
  a.Each(double_it);
  a.TemplatedEach(double_it);
  EXPECT_THAT(a, ElementsAre(4, 8, 12, 16));
  int64_t sum = 0;
  const auto add = [&](absl::Span<const int64_t> at, int value) {
    sum += value * (1 + 10 * at[0] + 100 * at[1]);
  };
  const Array<int>& constant = a;
  constant.Each(add);
  EXPECT_EQ(sum, 4 + 8 * 101 + 12 * 11 + 16 * 111);
  a.Each(add);
  constant.TemplatedEach(add);
  EXPECT_EQ(sum, 3 * (4 + 8 * 101 + 12 * 11 + 16 * 111));
}

TEST(ArrayNamesTest, VisitsWithStatus) {
  Array<int> a({{1, 2}, {3, 4}});
  EXPECT_TRUE(a.EachStatus([](absl::Span<const int64_t>, int* value) {
                 *value += 1;
                 return absl::OkStatus();
               }).ok());
  EXPECT_THAT(a, ElementsAre(2, 3, 4, 5));
  const Array<int>& constant = a;
  int visited = 0;
  const absl::Status status =
      constant.EachStatus([&](absl::Span<const int64_t>, int value) {
        ++visited;
        return value == 3 ? absl::InternalError("three") : absl::OkStatus();
      });
  EXPECT_EQ(status.message(), "three");
  EXPECT_EQ(visited, 2);
}

TEST(ArrayNamesTest, ElementsAndSizes) {
  Array<int> a({{1, 2, 3}, {4, 5, 6}});
  const Array<int>& constant = a;
  EXPECT_EQ(a(1, 0), 4);
  EXPECT_EQ(constant(0, int64_t{2}), 3);
  const std::vector<int64_t> at = {1, 2};
  a(at) = 60;
  EXPECT_EQ(constant(at), 60);
  *constant.data() = 10;  // not const, as in XLA
  EXPECT_EQ(*a.begin(), 10);
  EXPECT_EQ(a.end() - a.begin(), a.num_elements());
  EXPECT_EQ(constant.end() - constant.begin(), 6);
  EXPECT_EQ(a.num_dimensions(), 2);
  EXPECT_EQ(a.dim(1), 3);
  absl::Span<const int64_t> dimensions = a.dimensions();
  dimensions.remove_prefix(1);
  EXPECT_THAT(dimensions, ElementsAre(3));
  EXPECT_EQ(Array<int>(absl::Span<const int64_t>(), 5)(), 5);
}

TEST(ArrayNamesTest, Slices) {
  const Array<int> a({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(a.Slice({0, 1}, {2, 3}), Array<int>({{2, 3}, {5, 6}}));
  EXPECT_EQ(a.Slice({1, 1}, {1, 3}).num_elements(), 0);
  EXPECT_EQ(a.Slice({1, 1}, {3, 3}, -1), Array<int>({{5, 6}, {-1, -1}}));
  EXPECT_EQ(a.Slice({0, 2}, {2, 4}, -1), Array<int>({{3, -1}, {6, -1}}));
  Array<int> target({{0, 0, 0}, {0, 0, 0}});
  target.UpdateSlice(Array<int>({{7, 8}}), {1, 1});
  EXPECT_EQ(target, Array<int>({{0, 0, 0}, {0, 7, 8}}));
}

TEST(ArrayNamesTest, Reshapes) {
  Array<int> a({{1, 2, 3}, {4, 5, 6}});
  a.Reshape({3, 2});
  EXPECT_EQ(a, Array<int>({{1, 2}, {3, 4}, {5, 6}}));
  a.TransposeDimensions({1, 0});
  EXPECT_EQ(a, Array<int>({{1, 3, 5}, {2, 4, 6}}));
  const std::vector<int> ints = {1, 0};
  a.TransposeDimensions(ints);
  EXPECT_EQ(a(2, 1), 6);
  Array<int> b({{{1, 2, 3}, {4, 5, 6}}});
  const std::vector<int64_t> wide = {2, 0, 1};
  b.TransposeDimensions(wide);
  EXPECT_EQ(b, Array<int>({{{1, 4}}, {{2, 5}}, {{3, 6}}}));
}

TEST(ArrayNamesTest, Texts) {
  EXPECT_EQ(Array<int>({{1, 2}, {3, 4}}).ToString(), "[[1, 2],\n [3, 4]]");
  EXPECT_EQ(Array<int>({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}).ToString(),
            "[[[1, 2],\n  [3, 4]],\n [[5, 6],\n  [7, 8]]]");
  EXPECT_EQ(Array<float>({1.5f, 2.0f}).ToString(), "[1.5, 2]");
  EXPECT_EQ(Array<int>({2, 0}).ToString(), "[[],\n []]");
  EXPECT_EQ(Array<int>({0, 0}).ToString(), "[[]]");
  EXPECT_EQ(Array<int>({1, 0, 2}).ToString(), "[[[, ]]]");
  EXPECT_EQ(Array<int>(absl::Span<const int64_t>(), 5).ToString(), "");
}

}  // namespace
}  // namespace xla
