// Uses every name of xla/shape_tree.h.
#include "xla/shape_tree.h"

#include <cstdint>
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

// ((a, (b)), c): the indices {}, {0}, {0,0}, {0,1}, {0,1,0}, {1}.
Shape Nested() {
  const Shape array = ShapeUtil::MakeShape(F32, {2});
  return ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeTupleShape({array, ShapeUtil::MakeTupleShape({array})}),
       array});
}

// Each value is the number of its node in the order of the tree.
ShapeTree<int> Numbered() {
  ShapeTree<int> tree(Nested());
  int next = 0;
  for (auto& [index, value] : tree) value = next++;
  return tree;
}

TEST(ShapeTreeNamesTest, Constructors) {
  EXPECT_EQ(ShapeTree<int>().shape(), ShapeUtil::MakeNil());
  EXPECT_EQ(ShapeTree<int>(Nested()).element({0, 1}), 0);
  EXPECT_EQ(ShapeTree<int>(Nested(), 7).element({1}), 7);
  const Shape shape = Nested(), same = Nested();
  ShapeTree<int> borrowed(&shape);
  EXPECT_EQ(&borrowed.shape(), &shape);
  EXPECT_EQ(ShapeTree<int>(&shape, 3).element({}), 3);
  borrowed.replace_shape_ptr(same);
  EXPECT_EQ(&borrowed.shape(), &same);
  ShapeTree<std::unique_ptr<int>> unique(shape);
  *unique.mutable_element({1}) = std::make_unique<int>(4);
  EXPECT_EQ(*unique.element({1}), 4);
  const ShapeTree<std::unique_ptr<int>> moved = std::move(unique);
  EXPECT_EQ(moved.element({0}), nullptr);
}

TEST(ShapeTreeNamesTest, Elements) {
  ShapeTree<int> tree = Numbered();
  EXPECT_EQ(tree.element({0, 1, 0}), 4);
  *tree.mutable_element({0}) = 10;
  EXPECT_EQ(tree.element({0}), 10);
  EXPECT_TRUE(tree.IsLeaf({0, 0}));
  EXPECT_FALSE(tree.IsLeaf({0, 1}));
  EXPECT_EQ(tree.leaf_count(), 3);
  EXPECT_EQ(tree.find({0, 1})->second, 3);
  tree.find({0, 1})->second = 30;
  const ShapeTree<int>& fixed = tree;
  EXPECT_EQ(fixed.find({0, 1})->second, 30);
  EXPECT_EQ(fixed.find({5}), fixed.end());
}

template <typename Iterator>
std::vector<int> Values(Iterator begin, Iterator end) {
  std::vector<int> values;
  for (; begin != end; ++begin) values.push_back(begin->second);
  return values;
}

TEST(ShapeTreeNamesTest, Iterators) {
  ShapeTree<int> tree = Numbered();
  const ShapeTree<int>& fixed = tree;
  const auto all = ElementsAre(0, 1, 2, 3, 4, 5);
  const auto reversed = ElementsAre(5, 4, 3, 2, 1, 0);
  EXPECT_THAT(Values(tree.begin(), tree.end()), all);
  EXPECT_THAT(Values(fixed.begin(), fixed.end()), all);
  EXPECT_THAT(Values(tree.rbegin(), tree.rend()), reversed);
  EXPECT_THAT(Values(fixed.rbegin(), fixed.rend()), reversed);
  EXPECT_THAT(Values(tree.leaf_begin(), tree.leaf_end()), ElementsAre(2, 4, 5));
  EXPECT_THAT(Values(fixed.leaf_begin(), fixed.leaf_end()),
              ElementsAre(2, 4, 5));
  EXPECT_THAT(Values(tree.leaf_rbegin(), tree.leaf_rend()),
              ElementsAre(5, 4, 2));
  EXPECT_THAT(Values(fixed.leaf_rbegin(), fixed.leaf_rend()),
              ElementsAre(5, 4, 2));
  for (auto& [index, value] : tree.leaves()) value += 10;
  int sum = 0;
  for (const auto& [index, value] : fixed.leaves()) sum += value;
  EXPECT_EQ(sum, 41);

  ShapeTree<int>::iterator first = tree.begin();
  ShapeTree<int>::const_iterator fixed_first = fixed.begin();
  EXPECT_EQ(first->first, ShapeIndex());
  EXPECT_EQ(fixed_first->second, 0);
  ShapeTree<int>::reverse_iterator last = tree.rbegin();
  ShapeTree<int>::const_reverse_iterator fixed_last = fixed.rbegin();
  EXPECT_EQ(last->first, ShapeIndex({1}));
  EXPECT_EQ(fixed_last->second, 15);
  ShapeTree<int>::leaf_iterator leaf = tree.leaf_begin();
  ShapeTree<int>::const_leaf_iterator fixed_leaf = fixed.leaf_begin();
  EXPECT_EQ((leaf++)->first, ShapeIndex({0, 0}));
  EXPECT_EQ((*leaf).first, ShapeIndex({0, 1, 0}));
  EXPECT_EQ((++fixed_leaf)->second, 14);
  ShapeTree<int>::reverse_leaf_iterator last_leaf = tree.leaf_rbegin();
  ShapeTree<int>::const_reverse_leaf_iterator fixed_last_leaf =
      fixed.leaf_rbegin();
  EXPECT_EQ(last_leaf->second, 15);
  EXPECT_EQ(std::next(fixed_last_leaf)->second, 14);
  static_assert(
      std::is_same_v<ShapeTree<int>::Node, std::pair<ShapeIndex, int>>);
  const ShapeTree<int>::Nodes nodes(tree.begin(), tree.end());
  EXPECT_EQ(nodes.size(), 6u);
}

TEST(ShapeTreeNamesTest, Loops) {
  ShapeTree<int> tree = Numbered();
  std::vector<int> seen;
  const auto note = [&](const ShapeIndex&, const int& value) {
    seen.push_back(value);
  };
  const auto change = [&](const ShapeIndex&, int* value) {
    seen.push_back(*value);
    *value += 10;
  };
  const auto taken = [&] { return std::exchange(seen, {}); };
  tree.ForEachElement(note);
  EXPECT_THAT(taken(), ElementsAre(0, 1, 2, 3, 4, 5));
  tree.ForEachMutableElement(change);
  EXPECT_THAT(taken(), ElementsAre(0, 1, 2, 3, 4, 5));
  // Parts come before their tuple, and the last one first.
  tree.ForEachElementPostOrder(note);
  EXPECT_THAT(taken(), ElementsAre(15, 14, 13, 12, 11, 10));
  tree.ForEachMutableElementPostOrder(change);
  EXPECT_THAT(taken(), ElementsAre(15, 14, 13, 12, 11, 10));
  EXPECT_EQ(tree.element({1}), 25);
}

TEST(ShapeTreeNamesTest, LoopsEndAtErrors) {
  ShapeTree<int> tree = Numbered();
  std::vector<int> seen;
  const auto fail_at = [&](int last) {
    seen.clear();
    return [&seen, last](const ShapeIndex&, const int& value) {
      seen.push_back(value);
      return value == last ? absl::InternalError("stop") : absl::OkStatus();
    };
  };
  const auto fail_at_pointer = [&](int last) {
    return [fail = fail_at(last)](const ShapeIndex& index, int* value) {
      return fail(index, *value);
    };
  };
  EXPECT_FALSE(tree.ForEachElementWithStatus(fail_at(2)).ok());
  EXPECT_THAT(seen, ElementsAre(0, 1, 2));
  EXPECT_FALSE(tree.ForEachMutableElementWithStatus(fail_at_pointer(1)).ok());
  EXPECT_THAT(seen, ElementsAre(0, 1));
  EXPECT_FALSE(tree.ForEachElementPostOrderWithStatus(fail_at(4)).ok());
  EXPECT_THAT(seen, ElementsAre(5, 4));
  EXPECT_EQ(tree.ForEachMutableElementPostOrderWithStatus(fail_at_pointer(3))
                .message(),
            "stop");
  EXPECT_THAT(seen, ElementsAre(5, 4, 3));
  EXPECT_TRUE(tree.ForEachElementWithStatus(fail_at(-1)).ok());
}

TEST(ShapeTreeNamesTest, MapsAndCopies) {
  const ShapeTree<int> tree = Numbered();
  const ShapeTree<std::string> texts = tree.Map<std::string>(
      [](const int& value) { return std::to_string(value); });
  EXPECT_EQ(texts.element({0, 1, 0}), "4");
  EXPECT_EQ(texts.shape(), tree.shape());
  const auto halve = [](const int& value) -> absl::StatusOr<double> {
    if (value == 5) return absl::InternalError("five");
    return value / 2.0;
  };
  EXPECT_EQ(tree.MapWithStatus<double>(halve).status().message(), "five");
  const ShapeTree<int> part = tree.SubShapeTree({0}).value();
  EXPECT_EQ(part.MapWithStatus<double>(halve)->element({1}), 1.5);
  EXPECT_EQ(part.shape(), tree.shape().tuple_shapes(0));
  EXPECT_FALSE(tree.SubShapeTree({2}).ok());
  ShapeTree<int> copy(Nested(), 9);
  copy.CopySubtreeFrom(part, {1}, {0, 1});
  EXPECT_THAT(Values(copy.begin(), copy.end()), ElementsAre(9, 9, 9, 3, 4, 9));
}

TEST(ShapeTreeNamesTest, Comparisons) {
  ShapeTree<int> a = Numbered(), b = Numbered();
  EXPECT_TRUE(a == b);
  *b.mutable_element({1}) = 0;
  EXPECT_TRUE(a != b);
  // Shapes do not count.
  EXPECT_TRUE(ShapeTree<int>(ShapeUtil::MakeShape(F32, {2}), 1) ==
              ShapeTree<int>(ShapeUtil::MakeShape(S8, {}), 1));
}

}  // namespace
}  // namespace xla
