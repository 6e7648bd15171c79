// Uses every public name of xla/iterator_util.h.
#include "xla/iterator_util.h"

#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

class IteratorUtilNamesTest : public testing::Test {
 protected:
  using Owners = std::vector<std::unique_ptr<int>>;

  IteratorUtilNamesTest() {
    for (int i = 1; i <= 4; ++i) owners_.push_back(std::make_unique<int>(i));
  }

  Owners owners_;
};

TEST_F(IteratorUtilNamesTest, Unwraps) {
  using Iterator = UnwrappingIterator<Owners::iterator>;
  static_assert(
      std::is_same_v<Iterator::value_type, int*> &&
      std::is_same_v<Iterator::pointer, int**> &&
      std::is_same_v<Iterator::reference, int*&> &&
      std::is_same_v<Iterator::difference_type, ptrdiff_t> &&
      std::is_same_v<Iterator::iterator_category, std::input_iterator_tag>);
  Iterator it(owners_.begin());
  EXPECT_EQ(*it, owners_[0].get());
  EXPECT_EQ(**it++, 1);
  EXPECT_EQ(**it, 2);
  EXPECT_EQ(**++it, 3);
  EXPECT_EQ(it.underlying_iterator(), owners_.begin() + 2);
  const auto end = MakeUnwrappingIterator(owners_.end());
  EXPECT_TRUE(it != end);
  ++ ++it;
  EXPECT_TRUE(it == end);
}

TEST_F(IteratorUtilNamesTest, Filters) {
  auto is_even = [](const int* number) { return *number % 2 == 0; };
  using Iterator =
      FilteringUnwrappingIterator<Owners::iterator, decltype(is_even)>;
  static_assert(
      std::is_same_v<Iterator::value_type, int*> &&
      std::is_same_v<Iterator::iterator_category, std::input_iterator_tag> &&
      std::is_same_v<Iterator::difference_type, ptrdiff_t>);
  Iterator it =
      MakeFilteringUnwrappingIterator(owners_.begin(), owners_.end(), is_even);
  const Iterator end =
      MakeFilteringUnwrappingIterator(owners_.end(), owners_.end(), is_even);
  const Iterator::pointer no_element = nullptr;
  EXPECT_EQ(no_element, nullptr);
  Iterator::value_type first = *it;
  Iterator::reference same = first;
  EXPECT_EQ(*same, 2);
  EXPECT_EQ(**it++, 2);
  EXPECT_EQ(**it, 4);
  EXPECT_EQ(it.underlying_iterator().underlying_iterator(),
            owners_.begin() + 3);
  EXPECT_TRUE(it != end);
  EXPECT_TRUE(++it == end);
  std::vector<int> numbers;
  for (const int* number : MakeFilteringUnwrappingIteratorRange(
           owners_.begin(), owners_.end(), is_even)) {
    numbers.push_back(*number);
  }
  EXPECT_THAT(numbers, ElementsAre(2, 4));
}

TEST_F(IteratorUtilNamesTest, FiltersWithoutOwners) {
  const std::vector<int> numbers = {1, 2, 3};
  auto is_odd = [](int number) { return number % 2 == 1; };
  using Iterator =
      FilteringIterator<std::vector<int>::const_iterator, decltype(is_odd)>;
  Iterator it(numbers.begin(), numbers.end(), is_odd);
  EXPECT_EQ(*it, 1);
  EXPECT_EQ(*++it, 3);
}

TEST_F(IteratorUtilNamesTest, Positions) {
  std::vector<std::string> words = {"a", "b"};
  std::string text;
  for (const auto& [index, word] : WithIndex(words)) {
    text += std::to_string(index) + word;
  }
  EXPECT_EQ(text, "0a1b");
  // The elements are those of the container, which a temporary hands over.
  const WithIndex view(words);
  EXPECT_EQ(&view.begin()->second, &words[0]);
  const WithIndex kept(std::vector<std::string>{"c"});
  auto it = kept.begin();
  EXPECT_EQ(it->first, 0u);
  EXPECT_EQ((*it).second, "c");
  EXPECT_TRUE(it != kept.end());
  EXPECT_TRUE(++it == kept.end());
  using Iterator = decltype(it);
  static_assert(
      std::is_same_v<Iterator::iterator_category, std::input_iterator_tag> &&
      std::is_same_v<Iterator::difference_type, size_t> &&
      std::is_same_v<Iterator::value_type,
                     std::pair<size_t, const std::string&>>);
  const Iterator::pointer pointer = kept.begin().operator->();
  const Iterator::reference reference = *kept.begin();
  EXPECT_EQ(pointer->second, reference.second);
}

}  // namespace
}  // namespace xla
