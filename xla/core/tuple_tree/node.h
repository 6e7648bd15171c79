// TupleTreeNode: what TupleTree is made from, a leaf or a tuple of nodes.
#ifndef XLA_CORE_TUPLE_TREE_NODE_H_
#define XLA_CORE_TUPLE_TREE_NODE_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/shape_index.h"

namespace xla::internal {

template <typename T>
class TupleTreeNode {
 public:
  static TupleTreeNode Leaf(const T& value) { return {value, std::nullopt}; }
  static TupleTreeNode Leaf(T&& value) {
    return {std::move(value), std::nullopt};
  }
  static TupleTreeNode Tuple() { return {T(), Children()}; }
  static TupleTreeNode Tuple(const T& value) { return {value, Children()}; }
  static TupleTreeNode Tuple(T&& value) {
    return {std::move(value), Children()};
  }
  static TupleTreeNode Tuple(absl::Span<const TupleTreeNode> children) {
    return {T(), Children(children.begin(), children.end())};
  }
  static TupleTreeNode Tuple(const T& value,
                             absl::Span<const TupleTreeNode> children) {
    return {value, Children(children.begin(), children.end())};
  }
  static TupleTreeNode Tuple(T&& value,
                             absl::Span<const TupleTreeNode> children) {
    return {std::move(value), Children(children.begin(), children.end())};
  }

  // The empty tuple.
  TupleTreeNode() : TupleTreeNode(T(), Children()) {}

  bool IsLeaf() const { return !children_.has_value(); }
  const T& value() const { return value_; }
  T* mutable_value() { return &value_; }
  // These require a tuple (CHECK).
  const std::vector<TupleTreeNode>& children() const {
    CHECK(!IsLeaf()) << "a leaf has no children";
    return *children_;
  }
  std::vector<TupleTreeNode>* mutable_children() {
    CHECK(!IsLeaf()) << "a leaf has no children";
    return &*children_;
  }

  // Returns the node at `index` below this one. Makes the nodes on the way
  // tuples of the value `filler`; a leaf that is to be kept becomes element 0
  // of its tuple. No number may be negative (CHECK).
  TupleTreeNode* FindOrMake(ShapeIndexView index, bool keep_leaf_value,
                            const T& filler) {
    TupleTreeNode* node = this;
    for (const int64_t i : index) {
      CHECK_GE(i, 0);
      if (node->IsLeaf()) {
        TupleTreeNode leaf = std::move(*node);
        *node = Tuple(filler);
        if (keep_leaf_value) node->children_->push_back(std::move(leaf));
      }
      Children& children = *node->children_;
      while (static_cast<int64_t>(children.size()) <= i) {
        children.push_back(Tuple(filler));
      }
      node = &children[i];
    }
    return node;
  }

  bool operator==(const TupleTreeNode& other) const {
    return value_ == other.value_ && children_ == other.children_;
  }
  bool operator!=(const TupleTreeNode& other) const {
    return !(*this == other);
  }

 private:
  using Children = std::vector<TupleTreeNode>;

  TupleTreeNode(T value, std::optional<Children> children)
      : value_(std::move(value)), children_(std::move(children)) {}

  T value_;
  std::optional<Children> children_;
};

}  // namespace xla::internal

#endif  // XLA_CORE_TUPLE_TREE_NODE_H_
