// ShapeTree: one value of any type for each part of a shape.
#ifndef XLA_CORE_SHAPE_TREE_H_
#define XLA_CORE_SHAPE_TREE_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"
#include "xla/core/tuple_tree/tuple_tree.h"

namespace xla {

// A TupleTree with the structure of a shape: iterators and loops go through the
// values each tuple before its elements. The tree keeps its own copy of the
// shape unless it is given a pointer, which it then borrows.
template <typename T>
class ShapeTree {
 public:
  using Node = std::pair<ShapeIndex, T>;
  using Nodes = typename TupleTree<T>::NodePairs;

  // A tree of the empty tuple.
  ShapeTree() : ShapeTree(ShapeUtil::MakeNil()) {}
  // Value-initializes the values, which need not be copyable.
  explicit ShapeTree(Shape shape)
      : owned_(std::make_shared<const Shape>(std::move(shape))),
        shape_(owned_.get()),
        tree_(*shape_) {}
  explicit ShapeTree(const Shape* shape) : shape_(shape), tree_(*shape) {}
  ShapeTree(Shape shape, const T& init)
      : owned_(std::make_shared<const Shape>(std::move(shape))),
        shape_(owned_.get()),
        tree_(*shape_, init) {}
  ShapeTree(const Shape* shape, const T& init)
      : shape_(shape), tree_(*shape, init) {}

  const Shape& shape() const { return *shape_; }
  // `shape` must have the structure of the current one.
  void replace_shape_ptr(const Shape& shape) {
    DCHECK(ShapeUtil::EqualStructure(shape, *shape_));
    owned_.reset();
    shape_ = &shape;
  }

  // These require an index of the tree (CHECK).
  const T& element(ShapeIndexView index) const { return tree_.element(index); }
  T* mutable_element(ShapeIndexView index) {
    return tree_.mutable_element(index);
  }
  bool IsLeaf(ShapeIndexView index) const { return tree_.IsLeaf(index); }
  int64_t leaf_count() const { return ShapeUtil::GetLeafCount(*shape_); }

  using iterator = typename TupleTree<T>::iterator;
  using const_iterator = typename TupleTree<T>::const_iterator;
  using reverse_iterator = typename TupleTree<T>::reverse_iterator;
  using const_reverse_iterator = typename TupleTree<T>::const_reverse_iterator;
  iterator begin() { return tree_.begin(); }
  iterator end() { return tree_.end(); }
  const_iterator begin() const { return tree_.begin(); }
  const_iterator end() const { return tree_.end(); }
  reverse_iterator rbegin() { return tree_.rbegin(); }
  reverse_iterator rend() { return tree_.rend(); }
  const_reverse_iterator rbegin() const { return tree_.rbegin(); }
  const_reverse_iterator rend() const { return tree_.rend(); }
  // Return end() for an index that does not exist.
  iterator find(ShapeIndexView index) { return tree_.find(index); }
  const_iterator find(ShapeIndexView index) const { return tree_.find(index); }

  using leaf_iterator = typename TupleTree<T>::leaf_iterator;
  using const_leaf_iterator = typename TupleTree<T>::const_leaf_iterator;
  using reverse_leaf_iterator = typename TupleTree<T>::reverse_leaf_iterator;
  using const_reverse_leaf_iterator =
      typename TupleTree<T>::const_reverse_leaf_iterator;
  leaf_iterator leaf_begin() { return tree_.leaf_begin(); }
  leaf_iterator leaf_end() { return tree_.leaf_end(); }
  const_leaf_iterator leaf_begin() const { return tree_.leaf_begin(); }
  const_leaf_iterator leaf_end() const { return tree_.leaf_end(); }
  reverse_leaf_iterator leaf_rbegin() { return tree_.leaf_rbegin(); }
  reverse_leaf_iterator leaf_rend() { return tree_.leaf_rend(); }
  const_reverse_leaf_iterator leaf_rbegin() const {
    return tree_.leaf_rbegin();
  }
  const_reverse_leaf_iterator leaf_rend() const { return tree_.leaf_rend(); }
  auto leaves() { return tree_.leaves(); }
  auto leaves() const { return tree_.leaves(); }

  // What the loops call; those WithStatus stop at an error and return it.
  using Visitor = absl::FunctionRef<void(const ShapeIndex&, const T&)>;
  using MutableVisitor = absl::FunctionRef<void(const ShapeIndex&, T*)>;
  using StatusVisitor =
      absl::FunctionRef<absl::Status(const ShapeIndex&, const T&)>;
  using MutableStatusVisitor =
      absl::FunctionRef<absl::Status(const ShapeIndex&, T*)>;
  void ForEachElement(Visitor fn) const { tree_.ForEachElement(fn); }
  void ForEachMutableElement(MutableVisitor fn) {
    tree_.ForEachMutableElement(fn);
  }
  absl::Status ForEachElementWithStatus(StatusVisitor fn) const {
    return tree_.ForEachElementWithStatus(fn);
  }
  absl::Status ForEachMutableElementWithStatus(MutableStatusVisitor fn) {
    return tree_.ForEachMutableElementWithStatus(fn);
  }
  // Each tuple after its elements, and the last element first.
  void ForEachElementPostOrder(Visitor fn) const {
    for (auto node = rbegin(); node != rend(); ++node) {
      fn(node->first, node->second);
    }
  }
  void ForEachMutableElementPostOrder(MutableVisitor fn) {
    for (auto node = rbegin(); node != rend(); ++node) {
      fn(node->first, &node->second);
    }
  }
  absl::Status ForEachElementPostOrderWithStatus(StatusVisitor fn) const {
    for (auto node = rbegin(); node != rend(); ++node) {
      TF_RETURN_IF_ERROR(fn(node->first, node->second));
    }
    return absl::OkStatus();
  }
  absl::Status ForEachMutableElementPostOrderWithStatus(
      MutableStatusVisitor fn) {
    for (auto node = rbegin(); node != rend(); ++node) {
      TF_RETURN_IF_ERROR(fn(node->first, &node->second));
    }
    return absl::OkStatus();
  }

  // Return a tree of the same shape with fn(value) for each value.
  template <typename U>
  ShapeTree<U> Map(absl::FunctionRef<U(const T&)> fn) const {
    return ShapeTree<U>(owned_, shape_, tree_.Map(fn));
  }
  template <typename U>
  absl::StatusOr<ShapeTree<U>> MapWithStatus(
      absl::FunctionRef<absl::StatusOr<U>(const T&)> fn) const {
    TF_ASSIGN_OR_RETURN(TupleTree<U> tree, tree_.MapWithStatus(fn));
    return ShapeTree<U>(owned_, shape_, std::move(tree));
  }

  // Copies the part of `other` at `src_index` to the part at `dst_index`,
  // which has a compatible shape (CHECK).
  void CopySubtreeFrom(const ShapeTree<T>& other, const ShapeIndex& src_index,
                       const ShapeIndex& dst_index) {
    CHECK(ShapeUtil::Compatible(
        ShapeUtil::GetSubshape(shape(), dst_index),
        ShapeUtil::GetSubshape(other.shape(), src_index)));
    CHECK_OK(
        tree_.CopyCompatibleSubtreeFrom(other.tree_, src_index, dst_index));
  }
  // Errors: InvalidArgument for an index that does not exist.
  absl::StatusOr<ShapeTree<T>> SubShapeTree(const ShapeIndex& index) const {
    TF_ASSIGN_OR_RETURN(const Shape* part,
                        ShapeUtil::TryGetSubshape(shape(), index));
    TF_ASSIGN_OR_RETURN(TupleTree<T> tree, tree_.Subtree(index));
    auto owned = std::make_shared<const Shape>(*part);
    const Shape* shape = owned.get();
    return ShapeTree<T>(std::move(owned), shape, std::move(tree));
  }

  // Whether the elements are the same, and at the same indices, whatever the
  // shapes.
  bool operator==(const ShapeTree<T>& other) const {
    return tree_ == other.tree_;
  }
  bool operator!=(const ShapeTree<T>& other) const { return !(*this == other); }

 private:
  template <typename U>
  friend class ShapeTree;

  ShapeTree(std::shared_ptr<const Shape> owned, const Shape* shape,
            TupleTree<T> tree)
      : owned_(std::move(owned)), shape_(shape), tree_(std::move(tree)) {}

  std::shared_ptr<const Shape> owned_;  // shared by copies: never modified
  const Shape* shape_;
  TupleTree<T> tree_;
};

}  // namespace xla

#endif  // XLA_CORE_SHAPE_TREE_H_
