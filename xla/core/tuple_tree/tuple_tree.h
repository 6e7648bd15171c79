// TupleTree: one value for each node of a tree of tuples, without a shape.
#ifndef XLA_CORE_TUPLE_TREE_TUPLE_TREE_H_
#define XLA_CORE_TUPLE_TREE_TUPLE_TREE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"
#include "xla/core/tuple_tree/index_table.h"
#include "xla/core/tuple_tree/leaf_iterator.h"
#include "xla/core/tuple_tree/node.h"

namespace xla {

// Tuples have values of their own. Values are stored, and visited, each tuple
// before its elements. An index that does not exist is a programmer error where
// no Status is returned. Not thread safe.
template <typename T>
class TupleTree {
 public:
  using Node = internal::TupleTreeNode<T>;
  using NodePair = std::pair<ShapeIndex, T>;
  using NodePairs = absl::InlinedVector<NodePair, 1>;
  using IndexTable = internal::IndexTable;

  // The empty tuple; a leaf; a tuple of leaves; a tuple of nodes; a node.
  TupleTree() : TupleTree(Node::Tuple()) {}
  explicit TupleTree(const T& leaf_value) : TupleTree(Node::Leaf(leaf_value)) {}
  explicit TupleTree(T&& leaf_value)
      : TupleTree(Node::Leaf(std::move(leaf_value))) {}
  TupleTree(std::initializer_list<T> items) {
    std::vector<Node> leaves;
    for (const T& item : items) leaves.push_back(Node::Leaf(item));
    Initialize(Node::Tuple(leaves));
  }
  TupleTree(std::initializer_list<Node> items)
      : TupleTree(
            Node::Tuple(absl::MakeConstSpan(items.begin(), items.end()))) {}
  explicit TupleTree(Node&& root) { Initialize(std::move(root)); }
  // Leaves at the indices. Other nodes are tuples with values T(args).
  template <typename U, typename... Args>
  explicit TupleTree(absl::Span<U> node_pairs, Args&&... args) {
    static_assert(std::is_same_v<std::remove_const_t<U>, NodePair>);
    Node root = Node::Tuple(T(args...));
    for (auto& [index, value] : node_pairs) {
      *root.FindOrMake(index, /*keep_leaf_value=*/false, T(args...)) =
          Node::Leaf(value);
    }
    Initialize(std::move(root));
  }
  // A node with the value T(args) for each part of `shape`.
  template <typename... Args>
  explicit TupleTree(const Shape& shape, Args&&... args) {
    nodes_.reserve(ShapeUtil::SubshapeCount(shape));
    ShapeUtil::ForEachSubshape(
        shape, [&](const Shape& part, const ShapeIndex& index) {
          nodes_.emplace_back(index, T(args...));
          table_.Add(part.IsTuple() ? part.tuple_shapes_size() : -1);
        });
  }

  const T& element(ShapeIndexView index) const {
    return nodes_[Position(index)].second;
  }
  T* mutable_element(ShapeIndexView index) {
    return &nodes_[Position(index)].second;
  }
  // Returns false for an index that does not exist.
  bool IsLeaf(ShapeIndexView index) const {
    const auto position = Find(index);
    return position.ok() && table_.IsLeaf(*position);
  }
  bool IsTuple() const { return nodes_.size() > 1; }
  int64_t num_children(ShapeIndexView index = {}) const {
    return table_.Children(Position(index)).size();
  }
  size_t num_leaves() const { return std::distance(leaf_begin(), leaf_end()); }
  bool IsStructurallyCompatible(const Shape& shape) const {
    return IndexTable::OfShape(shape).SameStructure(0, table_, 0);
  }

  // Copies values of a subtree of `other` to one of the same structure. Errors:
  // InvalidArgument if the structure differs or an index goes into a leaf,
  // NotFound if there is no such element.
  absl::Status CopyCompatibleSubtreeFrom(const TupleTree<T>& other,
                                         const ShapeIndex& src_index,
                                         const ShapeIndex& dst_index) {
    TF_ASSIGN_OR_RETURN(const size_t from, other.Find(src_index));
    TF_ASSIGN_OR_RETURN(const size_t to, Find(dst_index));
    if (!table_.SameStructure(to, other.table_, from)) {
      return absl::InvalidArgumentError(
          "Subtree structures are incompatible: different number of children");
    }
    const size_t count = table_.SubtreeSize(to);
    for (size_t i = 0; i < count; ++i) {
      nodes_[to + i].second = other.nodes_[from + i].second;
    }
    return absl::OkStatus();
  }
  // Puts a subtree of `other` at `dst_index`, whatever was there; tuples and
  // empty tuples beside it are added as needed.
  void CopySubtreeFrom(const TupleTree<T>& other, const ShapeIndex& src_index,
                       const ShapeIndex& dst_index) {
    Node root = *ToNode();
    *root.FindOrMake(dst_index, /*keep_leaf_value=*/true, T()) =
        other.ToNode(src_index).value();
    Initialize(std::move(root));
  }
  absl::StatusOr<TupleTree<T>> Subtree(const ShapeIndex& index) const {
    TF_ASSIGN_OR_RETURN(Node root, ToNode(index));
    return TupleTree<T>(std::move(root));
  }
  absl::StatusOr<Node> ToNode(ShapeIndexView index = {}) const {
    TF_ASSIGN_OR_RETURN(size_t position, Find(index));
    return NodeAt(position);
  }
  using iterator = typename NodePairs::iterator;
  using const_iterator = typename NodePairs::const_iterator;
  using reverse_iterator = typename NodePairs::reverse_iterator;
  using const_reverse_iterator = typename NodePairs::const_reverse_iterator;
  iterator begin() { return nodes_.begin(); }
  iterator end() { return nodes_.end(); }
  const_iterator begin() const { return nodes_.begin(); }
  const_iterator end() const { return nodes_.end(); }
  reverse_iterator rbegin() { return nodes_.rbegin(); }
  reverse_iterator rend() { return nodes_.rend(); }
  const_reverse_iterator rbegin() const { return nodes_.rbegin(); }
  const_reverse_iterator rend() const { return nodes_.rend(); }
  internal::IteratorRange<iterator> nodes() { return {begin(), end()}; }
  internal::IteratorRange<const_iterator> nodes() const {
    return {begin(), end()};
  }
  // Returns end() for an index that does not exist.
  iterator find(ShapeIndexView index) {
    const auto position = Find(index);
    return position.ok() ? begin() + *position : end();
  }
  const_iterator find(ShapeIndexView index) const {
    const auto position = Find(index);
    return position.ok() ? begin() + *position : end();
  }

  template <typename Iterator, typename ValueType>
  using LeafIterator = internal::LeafIterator<Iterator>;
  using leaf_iterator = LeafIterator<iterator, NodePair>;
  using const_leaf_iterator = LeafIterator<const_iterator, const NodePair>;
  using reverse_leaf_iterator = std::reverse_iterator<leaf_iterator>;
  using const_reverse_leaf_iterator =
      std::reverse_iterator<const_leaf_iterator>;
  leaf_iterator leaf_begin() { return leaf_iterator(*this, begin()); }
  leaf_iterator leaf_end() { return leaf_iterator(*this, end()); }
  const_leaf_iterator leaf_begin() const {
    return const_leaf_iterator(*this, begin());
  }
  const_leaf_iterator leaf_end() const {
    return const_leaf_iterator(*this, end());
  }
  internal::IteratorRange<leaf_iterator> leaves() {
    return {leaf_begin(), leaf_end()};
  }
  internal::IteratorRange<const_leaf_iterator> leaves() const {
    return {leaf_begin(), leaf_end()};
  }
  reverse_leaf_iterator leaf_rbegin() {
    return reverse_leaf_iterator(leaf_end());
  }
  reverse_leaf_iterator leaf_rend() {
    return reverse_leaf_iterator(leaf_begin());
  }
  const_reverse_leaf_iterator leaf_rbegin() const {
    return const_reverse_leaf_iterator(leaf_end());
  }
  const_reverse_leaf_iterator leaf_rend() const {
    return const_reverse_leaf_iterator(leaf_begin());
  }
  // Call the function with all nodes; the forms WithStatus stop at an error.
  void ForEachElement(
      absl::FunctionRef<void(const ShapeIndex&, const T&)> func) const {
    for (const auto& [index, value] : nodes_) func(index, value);
  }
  void ForEachMutableElement(
      absl::FunctionRef<void(const ShapeIndex&, T*)> func) {
    for (auto& [index, value] : nodes_) func(index, &value);
  }
  absl::Status ForEachElementWithStatus(
      absl::FunctionRef<absl::Status(const ShapeIndex&, const T&)> func) const {
    for (const auto& [index, value] : nodes_) {
      TF_RETURN_IF_ERROR(func(index, value));
    }
    return absl::OkStatus();
  }
  absl::Status ForEachMutableElementWithStatus(
      absl::FunctionRef<absl::Status(const ShapeIndex&, T*)> func) {
    for (auto& [index, value] : nodes_) {
      TF_RETURN_IF_ERROR(func(index, &value));
    }
    return absl::OkStatus();
  }

  // Return the tree of the same structure with func(value) for each value.
  template <typename U>
  TupleTree<U> Map(absl::FunctionRef<U(const T&)> func) const {
    TupleTree<U> result(table_);
    for (const auto& [index, value] : nodes_) {
      result.nodes_.emplace_back(index, func(value));
    }
    return result;
  }
  template <typename U>
  absl::StatusOr<TupleTree<U>> MapWithStatus(
      absl::FunctionRef<absl::StatusOr<U>(const T&)> func) const {
    TupleTree<U> result(table_);
    for (const auto& [index, value] : nodes_) {
      TF_ASSIGN_OR_RETURN(U mapped, func(value));
      result.nodes_.emplace_back(index, std::move(mapped));
    }
    return result;
  }

  bool operator==(const TupleTree<T>& other) const {
    return nodes_ == other.nodes_;
  }
  bool operator!=(const TupleTree<T>& other) const { return !(*this == other); }

 private:
  template <typename U>
  friend class TupleTree;
  template <typename Iterator>
  friend class internal::LeafIterator;

  // A tree that has no nodes yet.
  explicit TupleTree(const IndexTable& table) : table_(table) {}

  // Finds the node among those sorted by index, where each index comes before
  // those that it is a prefix of. Errors: InvalidArgument for a negative number
  // and for an index into a leaf, NotFound if there is no such element.
  absl::StatusOr<size_t> Find(ShapeIndexView index) const {
    const auto less = [](const NodePair& node, ShapeIndexView wanted) {
      return std::lexicographical_compare(node.first.begin(), node.first.end(),
                                          wanted.begin(), wanted.end());
    };
    const auto it = std::lower_bound(begin(), end(), index, less);
    const bool found = it != end() && ShapeIndexView(it->first) == index;
    return found ? it - begin() : table_.Find(index);  // which says the error
  }
  size_t Position(ShapeIndexView index) const {
    const auto position = Find(index);
    CHECK(position.ok()) << position.status();
    return *position;
  }

  void Initialize(Node root) {
    nodes_.clear();
    table_ = IndexTable();
    ShapeIndex index;
    Append(std::move(root), index);
  }
  void Append(Node node, ShapeIndex& index) {
    nodes_.emplace_back(index, std::move(*node.mutable_value()));
    if (node.IsLeaf()) return table_.Add(-1);
    table_.Add(node.children().size());
    index.push_back(0);
    for (Node& child : *node.mutable_children()) {
      Append(std::move(child), index);
      ++index.back();
    }
    index.pop_back();
  }
  Node NodeAt(size_t position) const {
    const T& value = nodes_[position].second;
    if (table_.IsLeaf(position)) return Node::Leaf(value);
    Node node = Node::Tuple(value);
    for (size_t child : table_.Children(position)) {
      node.mutable_children()->push_back(NodeAt(child));
    }
    return node;
  }

  NodePairs nodes_;
  IndexTable table_;
};

}  // namespace xla

#endif  // XLA_CORE_TUPLE_TREE_TUPLE_TREE_H_
