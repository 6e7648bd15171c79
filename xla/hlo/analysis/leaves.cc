// Walks over tuples.
#include "xla/hlo/analysis/leaves.h"

#include <algorithm>

#include "xla/base/status_macros.h"
#include "xla/core/layout/tiling.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

void AppendLeaves(const Shape& shape, std::vector<const Shape*>* leaves) {
  if (!shape.IsTuple()) {
    leaves->push_back(&shape);
    return;
  }
  for (const Shape& part : shape.tuple_shapes()) AppendLeaves(part, leaves);
}

// The sum over all arrays, where each element counts as much as its type says.
template <typename OfElement>
double SumOf(const Shape& shape, const OfElement& of_element) {
  double sum = 0;
  if (shape.IsTuple()) {
    for (const Shape& part : shape.tuple_shapes()) {
      sum += SumOf(part, of_element);
    }
  } else if (shape.IsArray()) {
    sum = of_element(shape.element_type());
    for (const int64_t size : shape.dimensions()) {
      sum *= std::max<double>(0, static_cast<double>(size));
    }
  }
  return sum;
}

}  // namespace

double ElementsOf(const Shape& shape) {
  return SumOf(shape, [](PrimitiveType) { return 1; });
}

double BytesOf(const Shape& shape) {
  return SumOf(shape,
               [](PrimitiveType type) { return LiteralElementBytes(type); });
}

int LeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  int count = 0;
  for (const Shape& part : shape.tuple_shapes()) count += LeafCount(part);
  return count;
}

int FirstLeafOfElement(const Shape& tuple, int64_t element) {
  int leaf = 0;
  for (int64_t i = 0; i < element; ++i) {
    leaf += LeafCount(tuple.tuple_shapes(i));
  }
  return leaf;
}

std::vector<const Shape*> Leaves(const Shape& shape) {
  std::vector<const Shape*> leaves;
  AppendLeaves(shape, &leaves);
  return leaves;
}

const Shape& FirstLeaf(const Shape& shape) {
  const Shape* leaf = &shape;
  while (leaf->IsTuple() && !leaf->tuple_shapes().empty()) {
    leaf = &leaf->tuple_shapes(0);
  }
  return *leaf;
}

int LeafNumberAt(const Shape& shape, ShapeIndexView index) {
  const Shape* at = &shape;
  int number = 0;
  for (const int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= at->tuple_shapes_size()) return -1;
    number += FirstLeafOfElement(*at, i);
    at = &at->tuple_shapes(i);
  }
  return at->IsTuple() ? -1 : number;
}

absl::StatusOr<int64_t> LeafBytes(const Shape& leaf) {
  if (!leaf.IsArray()) return 0;
  TF_ASSIGN_OR_RETURN(int64_t bytes, LiteralBytes(leaf));
  if (HasOwnBuffer(leaf)) {
    Shape places = leaf;
    if (!IsBitPacked(leaf)) {
      places.mutable_layout()->set_element_size_in_bits(0);
    }
    TF_ASSIGN_OR_RETURN(bytes, PaddedByteSize(places));
  }
  if (!leaf.has_dynamic_dimensions()) return bytes;
  return bytes + leaf.rank() * static_cast<int64_t>(sizeof(int32_t));
}

bool SamePlaces(const Shape& a, const Shape& b) {
  if (!a.IsArray() || !b.IsArray() || a.has_dynamic_dimensions() ||
      b.has_dynamic_dimensions() ||
      LiteralElementBytes(a.element_type()) !=
          LiteralElementBytes(b.element_type())) {
    return false;
  }
  if (a.dimensions() != b.dimensions()) {
    return ShapeUtil::ElementsIn(a) == ShapeUtil::ElementsIn(b) &&
           IsDenseRowMajor(a) && IsDenseRowMajor(b);
  }
  if (!a.has_layout() || !b.has_layout()) return true;
  return a.layout().minor_to_major() == b.layout().minor_to_major();
}

}  // namespace xla
