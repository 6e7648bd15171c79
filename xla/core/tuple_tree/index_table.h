// IndexTable: the structure of a TupleTree, whose nodes are stored each tuple
// before its elements.
#ifndef XLA_CORE_TUPLE_TREE_INDEX_TABLE_H_
#define XLA_CORE_TUPLE_TREE_INDEX_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/core/shape.h"
#include "xla/core/shape_index.h"
#include "xla/core/shape_util.h"

namespace xla::internal {

class IndexTable {
 public:
  static IndexTable OfShape(const Shape& shape) {
    IndexTable table;
    ShapeUtil::ForEachSubshape(
        shape, [&](const Shape& part, const ShapeIndex&) {
          table.Add(part.IsTuple() ? part.tuple_shapes_size() : -1);
        });
    return table;
  }

  // Appends the next node: `arity` is the number of its elements, -1 for a
  // leaf.
  void Add(int64_t arity) { arities_.push_back(arity); }

  bool IsLeaf(size_t position) const { return arities_[position] < 0; }

  // Returns the number of nodes below and at `position`.
  size_t SubtreeSize(size_t position) const {
    size_t end = position;
    for (int64_t open = 1; open > 0; --open, ++end) {
      if (arities_[end] > 0) open += arities_[end];
    }
    return end - position;
  }

  // Returns the positions of the first `count` elements of a tuple, of all by
  // default.
  std::vector<size_t> Children(size_t position, int64_t count = -1) const {
    std::vector<size_t> children;
    if (count < 0) count = arities_[position];
    size_t next = position + 1;
    for (int64_t i = 0; i < count; ++i) {
      children.push_back(next);
      if (i + 1 < count) next += SubtreeSize(next);
    }
    return children;
  }

  // Walks from the root. Errors: InvalidArgument for a negative number and for
  // an index into a leaf, NotFound if a tuple has fewer elements.
  absl::StatusOr<size_t> Find(ShapeIndexView index) const {
    const auto text = [&] { return ShapeIndex(index).ToString(); };
    size_t position = 0;
    for (const int64_t i : index) {
      if (i < 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("Negative index in ShapeIndex ", text()));
      }
      if (IsLeaf(position)) {
        return absl::InvalidArgumentError(
            absl::StrCat("Cannot index into a leaf node: ", text()));
      }
      if (i >= arities_[position]) {
        return absl::NotFoundError(
            absl::StrCat("Index out of bounds: ", text()));
      }
      position = Children(position, i + 1).back();
    }
    return position;
  }

  // Whether the subtree at `position` has the structure of that of `other` at
  // `other_position`.
  bool SameStructure(size_t position, const IndexTable& other,
                     size_t other_position) const {
    const size_t size = SubtreeSize(position);
    if (other.SubtreeSize(other_position) != size) return false;
    for (size_t i = 0; i < size; ++i) {
      if (arities_[position + i] != other.arities_[other_position + i]) {
        return false;
      }
    }
    return true;
  }

 private:
  std::vector<int64_t> arities_;
};

}  // namespace xla::internal

#endif  // XLA_CORE_TUPLE_TREE_INDEX_TABLE_H_
