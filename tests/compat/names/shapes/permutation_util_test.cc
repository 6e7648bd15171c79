// Uses every name of xla/permutation_util.h.
#include "xla/permutation_util.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Inlined = absl::InlinedVector<int64_t, 4>;

TEST(PermutationUtilNamesTest, Predicates) {
  EXPECT_TRUE(IsPermutation({}));
  EXPECT_TRUE(IsPermutation({2, 0, 1}));
  EXPECT_FALSE(IsPermutation({1, 1}));
  EXPECT_FALSE(IsPermutation({0, 2}));
  EXPECT_FALSE(IsPermutation({-1, 0}));
  EXPECT_TRUE(IsIdentityPermutation({0, 1, 2}));
  EXPECT_TRUE(IsIdentityPermutation(std::vector<int>{0, 1}));
  EXPECT_FALSE(IsIdentityPermutation(Inlined{1, 0}));
  EXPECT_TRUE(IsIdentityPermutation(absl::Span<const int64_t>()));
}

TEST(PermutationUtilNamesTest, Containers) {
  const std::vector<std::string> input = {"a", "b", "c"};
  EXPECT_THAT(Permute(input, {2, 0, 1}), ElementsAre("c", "a", "b"));
  EXPECT_THAT(Permute(Inlined{7, 8}, {1, 0}), ElementsAre(8, 7));
  EXPECT_THAT(PermuteInverse({10, 20, 30}, {2, 0, 1}), ElementsAre(20, 30, 10));
  EXPECT_THAT(PermuteInverse<std::vector<std::string>>(input, {2, 0, 1}),
              ElementsAre("b", "c", "a"));
  const Inlined inlined = PermuteInverse<Inlined>({1, 2}, {1, 0});
  EXPECT_THAT(inlined, ElementsAre(2, 1));
}

TEST(PermutationUtilNamesTest, Group) {
  const std::vector<int64_t> p = {2, 0, 1, 3};
  EXPECT_THAT(InversePermutation(p), ElementsAre(1, 2, 0, 3));
  EXPECT_THAT(InversePermutation({}), IsEmpty());
  const Inlined inverse = InversePermutation<Inlined>(p);
  EXPECT_TRUE(IsIdentityPermutation(ComposePermutations(p, inverse)));
  EXPECT_THAT(ComposePermutations({1, 2, 0}, {0, 2, 1}), ElementsAre(1, 0, 2));
  static_assert(
      std::is_same_v<decltype(ComposePermutations<Inlined>(p, p)), Inlined>);
  EXPECT_THAT(ComposePermutations<Inlined>({1, 0}, {1, 0}), ElementsAre(0, 1));
}

TEST(PermutationUtilNamesTest, SingleElements) {
  std::vector<int> values = {0, 1, 2, 3, 4};
  MoveSingleElement(absl::MakeSpan(values), 1, 3);
  EXPECT_THAT(values, ElementsAre(0, 2, 3, 1, 4));
  MoveSingleElement(absl::MakeSpan(values), 4, 0);
  EXPECT_THAT(values, ElementsAre(4, 0, 2, 3, 1));
  MoveSingleElement(absl::MakeSpan(values), 2, 2);
  EXPECT_THAT(values, ElementsAre(4, 0, 2, 3, 1));
}

}  // namespace
}  // namespace xla
