// Uses every name of xla/tuple_tree.h.
#include "xla/tuple_tree.h"

#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using Tree = TupleTree<int>;
using Node = Tree::Node;

// (10: 1, (20: 2), 3): the indices {}, {0}, {1}, {1,0}, {2}.
Tree Sample() {
  return Tree(Node::Tuple(
      10, {Node::Leaf(1), Node::Tuple(20, {Node::Leaf(2)}), Node::Leaf(3)}));
}

template <typename Range>
std::vector<int> Values(Range&& range) {
  std::vector<int> values;
  for (const auto& [index, value] : range) values.push_back(value);
  return values;
}

TEST(TupleTreeNamesTest, Nodes) {
  const int one = 1;
  const Node leaf = Node::Leaf(one);
  EXPECT_TRUE(leaf.IsLeaf());
  EXPECT_EQ(leaf.value(), 1);
  EXPECT_EQ(leaf, Node::Leaf(1));
  EXPECT_NE(leaf, Node::Leaf(2));
  EXPECT_EQ(Node(), Node::Tuple());
  EXPECT_FALSE(Node().IsLeaf());
  EXPECT_EQ(Node::Tuple(one), Node::Tuple(1));
  EXPECT_NE(leaf, Node::Tuple(1));
  Node tuple = Node::Tuple(absl::MakeConstSpan(&leaf, 1));
  EXPECT_EQ(tuple.children().size(), 1u);
  EXPECT_EQ(tuple.value(), 0);
  *tuple.mutable_value() = 7;
  tuple.mutable_children()->push_back(Node::Leaf(5));
  EXPECT_EQ(tuple, Node::Tuple(7, {Node::Leaf(1), Node::Leaf(5)}));
  const int seven = 7;
  EXPECT_EQ(tuple, Node::Tuple(seven, tuple.children()));
  Node copy(tuple), assigned;
  assigned = copy;
  EXPECT_EQ(assigned, tuple);
  const Node moved = std::move(copy);
  assigned = Node(moved);
  EXPECT_EQ(assigned, moved);
}

TEST(TupleTreeNamesTest, Constructors) {
  EXPECT_EQ(Tree().ToNode().value(), Node::Tuple());
  const int four = 4;
  EXPECT_EQ(Tree(four).ToNode().value(), Node::Leaf(4));
  EXPECT_EQ(TupleTree<std::string>(std::string("x")).element({}), "x");
  EXPECT_THAT(Values(Tree({1, 2})), ElementsAre(0, 1, 2));
  const Tree nodes = {Node::Leaf(1), Node::Tuple({Node::Leaf(2)})};
  EXPECT_THAT(Values(nodes), ElementsAre(0, 1, 0, 2));
  std::vector<Tree::NodePair> pairs = {{{0}, 1}, {{2, 0}, 2}};
  EXPECT_THAT(Values(Tree(absl::MakeSpan(pairs), 9)),
              ElementsAre(9, 1, 9, 9, 2));
  EXPECT_EQ(Tree(absl::MakeConstSpan(pairs)).element({1}), 0);
  const Shape shape = ShapeUtil::MakeTupleShape(
      {ShapeUtil::MakeShape(F32, {}), ShapeUtil::MakeNil()});
  const Tree shaped(shape, 5);
  EXPECT_THAT(Values(shaped), ElementsAre(5, 5, 5));
  EXPECT_TRUE(shaped.IsStructurallyCompatible(shape));
  EXPECT_FALSE(Sample().IsStructurallyCompatible(shape));
  EXPECT_THAT(Values(TupleTree<int>(shape)), ElementsAre(0, 0, 0));
  Tree copy(shaped), assigned;
  assigned = copy;
  EXPECT_EQ(Tree(std::move(copy)), assigned);
}

TEST(TupleTreeNamesTest, Elements) {
  Tree tree = Sample();
  EXPECT_EQ(tree.element({1}), 20);
  *tree.mutable_element({1, 0}) = 5;
  EXPECT_EQ(tree.element({1, 0}), 5);
  EXPECT_TRUE(tree.IsLeaf({0}));
  EXPECT_FALSE(tree.IsLeaf({1}));
  EXPECT_FALSE(tree.IsLeaf({7}));
  EXPECT_EQ(tree.num_children(), 3);
  EXPECT_EQ(tree.num_children({0}), 0);
  EXPECT_TRUE(tree.IsTuple());
  EXPECT_FALSE(Tree(1).IsTuple());
  EXPECT_EQ(tree.num_leaves(), 3u);
  EXPECT_EQ(tree.find({2})->second, 3);
  EXPECT_EQ(tree.find({3}), tree.end());
  const Tree& fixed = tree;
  EXPECT_EQ(fixed.find({2})->first, ShapeIndex({2}));
  EXPECT_EQ(fixed.find({0, 0}), fixed.end());
}

TEST(TupleTreeNamesTest, Iterators) {
  Tree tree = Sample();
  const Tree& fixed = tree;
  for (auto& [index, value] : tree.nodes()) ++value;
  EXPECT_THAT(Values(fixed.nodes()), ElementsAre(11, 2, 21, 3, 4));
  EXPECT_THAT(Values(tree), ElementsAre(11, 2, 21, 3, 4));
  for (auto& [index, value] : tree.leaves()) --value;
  EXPECT_THAT(Values(fixed.leaves()), ElementsAre(1, 2, 3));
  EXPECT_EQ(tree.rbegin()->second, 3);
  EXPECT_EQ(std::prev(fixed.rend())->second, 11);
  EXPECT_EQ(std::prev(tree.rend())->second, fixed.begin()->second);
  EXPECT_EQ(fixed.rbegin()->second, std::prev(fixed.end())->second);
  EXPECT_EQ(tree.leaf_rbegin()->second, 3);
  EXPECT_EQ(std::distance(tree.leaf_rbegin(), tree.leaf_rend()), 3);
  EXPECT_EQ(std::distance(fixed.leaf_rbegin(), fixed.leaf_rend()), 3);

  using Leaf = Tree::LeafIterator<Tree::iterator, Tree::NodePair>;
  static_assert(std::is_same_v<Leaf, Tree::leaf_iterator>);
  static_assert(std::is_same_v<Leaf::value_type, Tree::NodePair>);
  static_assert(std::is_same_v<Leaf::reference, Tree::NodePair&>);
  static_assert(std::is_same_v<Leaf::pointer, Tree::NodePair*>);
  static_assert(std::is_same_v<Leaf::difference_type, std::ptrdiff_t>);
  static_assert(std::is_base_of_v<std::bidirectional_iterator_tag,
                                  Leaf::iterator_category>);
  Leaf it(tree, tree.begin());  // the root is no leaf
  EXPECT_TRUE(it == tree.leaf_begin());
  EXPECT_EQ((it++)->second, 1);
  EXPECT_EQ((*it).first, ShapeIndex({1, 0}));
  EXPECT_EQ((++it)->second, 3);
  EXPECT_EQ((it--)->second, 3);
  EXPECT_EQ((--it)->second, 1);
  EXPECT_TRUE(it != tree.leaf_end());
  Tree::const_leaf_iterator fixed_leaf = fixed.leaf_begin();
  EXPECT_EQ(fixed_leaf->second, 1);
  Tree::const_iterator fixed_first = fixed.begin();
  Tree::reverse_iterator last = tree.rbegin();
  Tree::const_reverse_iterator fixed_last = fixed.rbegin();
  Tree::reverse_leaf_iterator last_leaf = tree.leaf_rbegin();
  Tree::const_reverse_leaf_iterator fixed_last_leaf = fixed.leaf_rbegin();
  EXPECT_EQ(fixed_first->second, 11);
  EXPECT_EQ(last->second, fixed_last->second);
  EXPECT_EQ((++last_leaf)->second, std::next(fixed_last_leaf)->second);
  EXPECT_EQ(std::distance(fixed.leaf_begin(), fixed.leaf_end()), 3);
  const Tree::NodePairs pairs(tree.begin(), tree.end());
  EXPECT_EQ(pairs.size(), 5u);
}

TEST(TupleTreeNamesTest, Loops) {
  Tree tree = Sample();
  std::vector<int> seen;
  tree.ForEachMutableElement([&](const ShapeIndex&, int* value) { ++*value; });
  tree.ForEachElement(
      [&](const ShapeIndex&, const int& value) { seen.push_back(value); });
  EXPECT_THAT(seen, ElementsAre(11, 2, 21, 3, 4));
  const auto stop = [](int value) {
    return value == 21 ? absl::InternalError("stop") : absl::OkStatus();
  };
  EXPECT_EQ(
      tree.ForEachElementWithStatus(
              [&](const ShapeIndex&, const int& value) { return stop(value); })
          .message(),
      "stop");
  EXPECT_FALSE(
      tree.ForEachMutableElementWithStatus([&](const ShapeIndex&, int* value) {
            *value += 100;
            return stop(*value - 100);
          })
          .ok());
  EXPECT_THAT(Values(tree), ElementsAre(111, 102, 121, 3, 4));
}

TEST(TupleTreeNamesTest, Maps) {
  const Tree tree = Sample();
  const TupleTree<std::string> texts = tree.Map<std::string>(
      [](const int& value) { return std::to_string(value); });
  EXPECT_EQ(texts.element({1}), "20");
  EXPECT_TRUE(texts.IsLeaf({1, 0}));
  const auto small = [](const int& value) -> absl::StatusOr<char> {
    if (value > 15) return absl::OutOfRangeError("large");
    return 'a' + value;
  };
  EXPECT_FALSE(tree.MapWithStatus<char>(small).ok());
  EXPECT_EQ(tree.Subtree({0})->MapWithStatus<char>(small)->element({}), 'b');
}

TEST(TupleTreeNamesTest, Subtrees) {
  Tree tree = Sample();
  EXPECT_EQ(tree.Subtree({1}).value(), Tree(Node::Tuple(20, {Node::Leaf(2)})));
  const auto code = [&](const ShapeIndex& index) {
    return tree.Subtree(index).status().code();
  };
  EXPECT_EQ(code({4}), absl::StatusCode::kNotFound);
  EXPECT_EQ(code({1, 7, 0}), absl::StatusCode::kNotFound);
  EXPECT_EQ(code({0, 0}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({-1}), absl::StatusCode::kInvalidArgument);
  EXPECT_DEATH(tree.element({0, 0}), "Cannot index into a leaf node");
  EXPECT_EQ(tree.ToNode({1}).value(), Node::Tuple(20, {Node::Leaf(2)}));
  EXPECT_FALSE(tree.ToNode({0, 0}).ok());
  const Tree other(Node::Tuple(30, {Node::Leaf(4)}));
  EXPECT_TRUE(tree.CopyCompatibleSubtreeFrom(other, {}, {1}).ok());
  EXPECT_THAT(Values(tree), ElementsAre(10, 1, 30, 4, 3));
  EXPECT_FALSE(tree.CopyCompatibleSubtreeFrom(other, {}, {0}).ok());
  // Makes room, and keeps a leaf that becomes a tuple as its first element.
  tree.CopySubtreeFrom(other, {0}, {0, 2});
  EXPECT_THAT(Values(tree), ElementsAre(10, 0, 1, 0, 4, 30, 4, 3));
  EXPECT_EQ(tree.find({0, 2})->second, 4);
  tree.CopySubtreeFrom(other, {}, {});
  EXPECT_TRUE(tree == other);
  EXPECT_TRUE(tree != Sample());
}

TEST(TupleTreeNamesTest, RangesAreContainers) {
  const Tree tree = Sample();
  EXPECT_THAT(tree.leaves(),
              ElementsAre(Pair(ShapeIndex({0}), 1), Pair(ShapeIndex({1, 0}), 2),
                          Pair(ShapeIndex({2}), 3)));
  EXPECT_THAT(tree.nodes(), SizeIs(5));
  EXPECT_FALSE(tree.nodes().empty());
}

}  // namespace
}  // namespace xla
