// Nested tuples as trees of ops.
#include "xla/hlo/builder/lib/tuple.h"

#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape.h"

namespace xla {

absl::StatusOr<ShapeTree<XlaOp>> DisassembleTuple(XlaOp tuple) {
  TF_ASSIGN_OR_RETURN(Shape shape, tuple.builder()->GetShape(tuple));
  ShapeTree<XlaOp> result(std::move(shape));
  // A tuple comes before its elements.
  result.ForEachMutableElement([&](const ShapeIndex& index, XlaOp* element) {
    if (index.empty()) {
      *element = tuple;
      return;
    }
    ShapeIndex parent = index;
    parent.pop_back();
    *element = GetTupleElement(result.element(parent), index.back());
  });
  return result;
}

XlaOp AssembleTuple(XlaBuilder* builder, ShapeTree<XlaOp> elements) {
  // Visit from the last to the first: the elements of a tuple before the tuple.
  for (auto it = elements.rbegin(); it != elements.rend(); ++it) {
    const ShapeIndex index = it->first;
    if (elements.IsLeaf(index)) continue;
    std::vector<XlaOp> children;
    const Shape& tuple = ShapeUtil::GetSubshape(elements.shape(), index);
    for (int64_t i = 0; i < tuple.tuple_shapes_size(); ++i) {
      ShapeIndex child = index;
      child.push_back(i);
      children.push_back(elements.element(child));
    }
    it->second = Tuple(builder, children);
  }
  return elements.element({});
}

}  // namespace xla
