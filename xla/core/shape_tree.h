// ShapeTree: one value of any type for each part of a shape.
#ifndef XLA_CORE_SHAPE_TREE_H_
#define XLA_CORE_SHAPE_TREE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/base/logging.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"

namespace xla {

// Values are stored in one vector, each tuple before its elements; iterators
// and loops go through them in that order. The tree keeps its own copy of the
// shape unless it is given a pointer, which it then borrows.
template <typename T>
class ShapeTree {
 public:
  using Node = std::pair<ShapeIndex, T>;
  using iterator = typename std::vector<Node>::iterator;
  using const_iterator = typename std::vector<Node>::const_iterator;
  using reverse_iterator = typename std::vector<Node>::reverse_iterator;
  using const_reverse_iterator =
      typename std::vector<Node>::const_reverse_iterator;

  // A tree of the empty tuple.
  ShapeTree() : ShapeTree(ShapeUtil::MakeNil()) {}
  // Value-initializes the values, which need not be copyable.
  explicit ShapeTree(Shape shape)
      : owned_(std::make_shared<Shape>(std::move(shape))),
        shape_(owned_.get()) {
    Fill([] { return T(); });
  }
  explicit ShapeTree(const Shape* shape) : shape_(shape) {
    Fill([] { return T(); });
  }
  ShapeTree(Shape shape, const T& init)
      : owned_(std::make_shared<Shape>(std::move(shape))),
        shape_(owned_.get()) {
    Fill([&init] { return init; });
  }
  ShapeTree(const Shape* shape, const T& init) : shape_(shape) {
    Fill([&init] { return init; });
  }

  const Shape& shape() const { return *shape_; }
  // `shape` must have the structure of the current one.
  void replace_shape_ptr(const Shape& shape) {
    DCHECK(ShapeUtil::EqualStructure(shape, *shape_));
    owned_.reset();
    shape_ = &shape;
  }

  const T& element(ShapeIndexView index) const {
    return nodes_[Position(index)].second;
  }
  T* mutable_element(ShapeIndexView index) {
    return &nodes_[Position(index)].second;
  }
  bool IsLeaf(ShapeIndexView index) const {
    return !ShapeUtil::GetSubshape(*shape_, index).IsTuple();
  }
  int64_t leaf_count() const { return ShapeUtil::GetLeafCount(*shape_); }

  iterator begin() { return nodes_.begin(); }
  iterator end() { return nodes_.end(); }
  const_iterator begin() const { return nodes_.begin(); }
  const_iterator end() const { return nodes_.end(); }
  reverse_iterator rbegin() { return nodes_.rbegin(); }
  reverse_iterator rend() { return nodes_.rend(); }
  const_reverse_iterator rbegin() const { return nodes_.rbegin(); }
  const_reverse_iterator rend() const { return nodes_.rend(); }
  iterator find(ShapeIndexView index) {
    return nodes_.begin() + Position(index);
  }
  const_iterator find(ShapeIndexView index) const {
    return nodes_.begin() + Position(index);
  }

  // Iterates over the nodes that are leaves.
  template <typename Iterator, typename Value>
  class LeafIterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;

    LeafIterator(const ShapeTree* tree, Iterator it, Iterator end)
        : tree_(tree), it_(it), end_(end) {
      SkipTuples();
    }
    reference operator*() const { return *it_; }
    pointer operator->() const { return &*it_; }
    LeafIterator& operator++() {
      ++it_;
      SkipTuples();
      return *this;
    }
    LeafIterator operator++(int) {
      LeafIterator old = *this;
      ++*this;
      return old;
    }
    bool operator==(const LeafIterator& o) const { return it_ == o.it_; }
    bool operator!=(const LeafIterator& o) const { return it_ != o.it_; }

   private:
    void SkipTuples() {
      while (it_ != end_ && !tree_->IsLeaf(it_->first)) ++it_;
    }
    const ShapeTree* tree_;
    Iterator it_;
    Iterator end_;
  };
  template <typename It>
  struct Range {
    It first, last;
    It begin() const { return first; }
    It end() const { return last; }
  };
  using leaf_iterator = LeafIterator<iterator, Node>;
  using const_leaf_iterator = LeafIterator<const_iterator, const Node>;

  leaf_iterator leaf_begin() { return {this, begin(), end()}; }
  leaf_iterator leaf_end() { return {this, end(), end()}; }
  const_leaf_iterator leaf_begin() const { return {this, begin(), end()}; }
  const_leaf_iterator leaf_end() const { return {this, end(), end()}; }
  Range<leaf_iterator> leaves() { return {leaf_begin(), leaf_end()}; }
  Range<const_leaf_iterator> leaves() const {
    return {leaf_begin(), leaf_end()};
  }

  // Calls fn(const ShapeIndex&, const T&), or (const ShapeIndex&, T*).
  template <typename Fn>
  void ForEachElement(const Fn& fn) const {
    for (const Node& node : nodes_) fn(node.first, node.second);
  }
  template <typename Fn>
  void ForEachMutableElement(const Fn& fn) {
    for (Node& node : nodes_) fn(node.first, &node.second);
  }
  template <typename Fn>
  absl::Status ForEachElementWithStatus(const Fn& fn) const {
    for (const Node& node : nodes_) {
      absl::Status status = fn(node.first, node.second);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }
  template <typename Fn>
  absl::Status ForEachMutableElementWithStatus(const Fn& fn) {
    for (Node& node : nodes_) {
      absl::Status status = fn(node.first, &node.second);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }
  template <typename Fn>
  void ForEachElementPostOrder(const Fn& fn) const {
    for (int64_t i : PostOrder()) fn(nodes_[i].first, nodes_[i].second);
  }
  template <typename Fn>
  void ForEachMutableElementPostOrder(const Fn& fn) {
    for (int64_t i : PostOrder()) fn(nodes_[i].first, &nodes_[i].second);
  }

  // Returns a tree of the same shape with fn(value) for each value.
  template <typename U>
  ShapeTree<U> Map(absl::FunctionRef<U(const T&)> fn) const {
    ShapeTree<U> result(*shape_);
    auto out = result.begin();
    for (const Node& node : nodes_) (out++)->second = fn(node.second);
    return result;
  }
  template <typename U>
  absl::StatusOr<ShapeTree<U>> MapWithStatus(
      absl::FunctionRef<absl::StatusOr<U>(const T&)> fn) const {
    ShapeTree<U> result(*shape_);
    auto out = result.begin();
    for (const Node& node : nodes_) {
      absl::StatusOr<U> value = fn(node.second);
      if (!value.ok()) return value.status();
      (out++)->second = *std::move(value);
    }
    return result;
  }

  // Copies the part of `other` at `src_index` to the part at `dst_index`,
  // which has a compatible shape.
  void CopySubtreeFrom(const ShapeTree<T>& other, const ShapeIndex& src_index,
                       const ShapeIndex& dst_index) {
    const int64_t from = other.Position(src_index);
    const int64_t to = Position(dst_index);
    const int64_t count =
        ShapeUtil::SubshapeCount(ShapeUtil::GetSubshape(shape(), dst_index));
    CHECK(ShapeUtil::Compatible(
        ShapeUtil::GetSubshape(shape(), dst_index),
        ShapeUtil::GetSubshape(other.shape(), src_index)));
    for (int64_t i = 0; i < count; ++i) {
      nodes_[to + i].second = other.nodes_[from + i].second;
    }
  }
  absl::StatusOr<ShapeTree<T>> SubShapeTree(const ShapeIndex& index) const {
    absl::StatusOr<const Shape*> part =
        ShapeUtil::TryGetSubshape(shape(), index);
    if (!part.ok()) return part.status();
    ShapeTree<T> result(**part);
    result.CopySubtreeFrom(*this, index, {});
    return result;
  }

  // Whether the elements are the same, and at the same indices, whatever the
  // shapes.
  bool operator==(const ShapeTree<T>& other) const {
    return nodes_ == other.nodes_;
  }
  bool operator!=(const ShapeTree<T>& other) const { return !(*this == other); }

 private:
  template <typename Make>
  void Fill(Make make) {
    nodes_.reserve(ShapeUtil::SubshapeCount(*shape_));
    ShapeUtil::ForEachSubshape(*shape_,
                               [&](const Shape&, const ShapeIndex& index) {
                                 nodes_.emplace_back(index, make());
                               });
  }

  // Nodes are sorted by index: an index comes before those that it is a prefix
  // of.
  int64_t Position(ShapeIndexView index) const {
    auto less = [](const Node& node, ShapeIndexView want) {
      return std::lexicographical_compare(node.first.begin(), node.first.end(),
                                          want.begin(), want.end());
    };
    auto it = std::lower_bound(nodes_.begin(), nodes_.end(), index, less);
    CHECK(it != nodes_.end() && ShapeIndexView(it->first) == index);
    return it - nodes_.begin();
  }

  // Children come before their tuple, siblings in order.
  std::vector<int64_t> PostOrder() const {
    std::vector<int64_t> order, open;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      while (open.size() > nodes_[i].first.size()) {
        order.push_back(open.back());
        open.pop_back();
      }
      open.push_back(i);
    }
    order.insert(order.end(), open.rbegin(), open.rend());
    return order;
  }

  std::vector<Node> nodes_;
  std::shared_ptr<const Shape> owned_;  // shared by copies: never modified
  const Shape* shape_;
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_TREE_H_
