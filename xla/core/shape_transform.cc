// ShapeUtil: shapes derived from shapes, tests for reshapes and transposes that
// move no data, and loops over indices.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/permutation_util.h"
#include "xla/core/shape_util.h"

namespace xla {

Shape ShapeUtil::ChangeElementType(const Shape& original, PrimitiveType type) {
  if (original.IsTuple()) {
    Shape result(TUPLE);
    result.mutable_tuple_shapes()->reserve(original.tuple_shapes_size());
    for (const Shape& part : original.tuple_shapes()) {
      *result.add_tuple_shapes() = ChangeElementType(part, type);
    }
    return result;
  }
  Shape result = original;
  if (!result.IsArray()) return result;
  result.set_element_type(type);
  if (result.has_layout() && result.layout().element_size_in_bits() != 0) {
    // Only types smaller than a byte are packed.
    result.mutable_layout()->set_element_size_in_bits(
        primitive_util::IsSubByteNonPredType(type)
            ? primitive_util::BitWidth(type)
            : 0);
  }
  return result;
}

Shape ShapeUtil::ComplexComponentShape(const Shape& complex_shape) {
  CHECK(ElementIsComplex(complex_shape)) << HumanString(complex_shape);
  return ChangeElementType(complex_shape, primitive_util::ComplexComponentType(
                                              complex_shape.element_type()));
}

Shape ShapeUtil::PrependMajorDimension(int64_t bound, Shape shape) {
  Shape result(shape.element_type());
  result.add_dimensions(bound);
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    result.add_dimensions(shape.dimensions(i), shape.is_dynamic_dimension(i));
  }
  if (shape.has_layout()) {
    Layout layout = shape.layout();
    for (int64_t& dim : *layout.mutable_minor_to_major()) ++dim;
    layout.add_minor_to_major(0);
    layout.set_padded_dimensions({});
    *result.mutable_layout() = std::move(layout);
  }
  return result;
}

void ShapeUtil::AppendMajorDimension(int bound, Shape* shape) {
  CHECK(shape->IsArray()) << HumanString(*shape);
  if (shape->has_layout()) {
    shape->mutable_layout()->add_minor_to_major(shape->rank());
  }
  shape->add_dimensions(bound);
}

void ShapeUtil::AppendMinorDimension(int bound, Shape* shape) {
  CHECK(shape->IsArray()) << HumanString(*shape);
  const int64_t rank = shape->rank();
  shape->add_dimensions(bound);
  if (shape->has_layout()) {
    DimensionVector* order = shape->mutable_layout()->mutable_minor_to_major();
    order->insert(order->begin(), rank);
  }
}

void ShapeUtil::CopyDynamicDimensions(Shape* to, const Shape& from) {
  CHECK_EQ(to->rank(), from.rank());
  for (int i = 0; i < from.dimensions_size(); ++i) {
    to->set_dynamic_dimension(i, from.is_dynamic_dimension(i));
  }
}

void ShapeUtil::UpdateDynamicDimension(Shape* shape, ShapeIndexView index,
                                       int64_t dim, bool is_dynamic) {
  Shape* part = GetMutableSubshape(shape, index);
  CHECK(part->IsArray() && dim >= 0 && dim < part->rank());
  part->set_dynamic_dimension(dim, is_dynamic);
}

void ShapeUtil::UpdateElementSizeInBits(Shape* shape, bool pack_subbyte_types) {
  ForEachMutableLeafShape(shape, [&](Shape* part, const ShapeIndex&) {
    if (!part->IsArray() || !part->has_layout()) return;
    const PrimitiveType type = part->element_type();
    part->mutable_layout()->set_element_size_in_bits(
        pack_subbyte_types && primitive_util::IsSubByteNonPredType(type)
            ? primitive_util::BitWidth(type)
            : 0);
  });
}

Shape ShapeUtil::MoveDimToMajor(const Shape& shape, int64_t dim) {
  Shape result = shape;
  ForEachMutableLeafShape(&result, [&](Shape* part, const ShapeIndex&) {
    if (!part->IsArray()) return;
    if (!part->has_layout()) LayoutUtil::SetToDefaultLayout(part);
    *part->mutable_layout() = LayoutUtil::MoveDimToMajor(part->layout(), dim);
  });
  return result;
}

Shape ShapeUtil::DeleteDimension(int64_t dim_to_delete, Shape shape) {
  shape.DeleteDimension(dim_to_delete);
  return shape;
}

Shape ShapeUtil::DeleteDimensions(absl::Span<const int64_t> dims_to_delete,
                                  Shape shape) {
  shape.DeleteDimensions(dims_to_delete);
  return shape;
}

Shape ShapeUtil::FilterDimensions(absl::FunctionRef<bool(int64_t)> keep,
                                  Shape shape) {
  std::vector<int64_t> dropped;
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (!keep(i)) dropped.push_back(i);
  }
  shape.DeleteDimensions(dropped);
  return shape;
}

Shape ShapeUtil::DropDegenerateDimensions(const Shape& shape) {
  return FilterDimensions(
      [&](int64_t dim) { return shape.dimensions(dim) != 1; }, shape);
}

Shape ShapeUtil::PermuteDimensions(absl::Span<const int64_t> permutation,
                                   const Shape& shape) {
  CHECK(IsPermutation(permutation) &&
        static_cast<int64_t>(permutation.size()) == shape.rank());
  if (shape.IsBuffer()) {
    return Shape::MakeBufferShape(
        PermuteDimensions(permutation, shape.buffer_shape()));
  }
  Shape result(shape.element_type());
  for (int64_t dim : permutation) {
    result.add_dimensions(shape.dimensions(dim),
                          shape.is_dynamic_dimension(dim));
  }
  if (shape.has_layout()) {
    // Keep the order in memory under the new numbers, so that a transpose to
    // this shape is a bitcast.
    const std::vector<int64_t> inverse = InversePermutation(permutation);
    Layout layout = shape.layout();
    for (int64_t& dim : *layout.mutable_minor_to_major()) dim = inverse[dim];
    if (!layout.padded_dimensions().empty()) {
      layout.set_padded_dimensions(
          Permute(shape.layout().padded_dimensions(), permutation));
    }
    *result.mutable_layout() = std::move(layout);
  }
  return result;
}

Shape ShapeUtil::PermuteDimensionsIgnoringLayout(
    absl::Span<const int64_t> permutation, const Shape& shape) {
  Shape result = PermuteDimensions(permutation, shape);
  if (shape.has_layout()) *result.mutable_layout() = shape.layout();
  return result;
}

Shape ShapeUtil::InsertDimensionAtIndex(Shape shape, int64_t dim_idx,
                                        int64_t bound) {
  return InsertDimensionsAtIndex(std::move(shape), dim_idx, {bound});
}

Shape ShapeUtil::InsertDimensionsAtIndex(Shape shape, int64_t dim_idx,
                                         absl::Span<const int64_t> bounds) {
  CHECK(shape.IsArray() && dim_idx >= 0 && dim_idx <= shape.rank())
      << dim_idx << " of " << HumanStringWithLayout(shape);
  const int64_t count = bounds.size();
  Shape result(shape.element_type());
  for (int64_t i = 0; i <= shape.rank(); ++i) {
    if (i == dim_idx) {
      for (int64_t bound : bounds) result.add_dimensions(bound);
    }
    if (i == shape.rank()) break;
    result.add_dimensions(shape.dimensions(i), shape.is_dynamic_dimension(i));
  }
  if (!shape.has_layout()) return result;
  Layout layout = shape.layout();
  DimensionVector& order = *layout.mutable_minor_to_major();
  auto position = order.begin();
  for (auto it = order.begin(); it != order.end(); ++it) {
    if (*it == dim_idx) position = it + 1;
    if (*it >= dim_idx) *it += count;
  }
  DimensionVector inserted(count);
  std::iota(inserted.rbegin(), inserted.rend(), dim_idx);
  order.insert(position, inserted.begin(), inserted.end());
  *result.mutable_layout() = std::move(layout);
  return result;
}

Shape ShapeUtil::DeviceShapeToHostShape(Shape shape) {
  ForEachMutableLeafShape(&shape, [](Shape* leaf, const ShapeIndex&) {
    if (!leaf->has_layout()) return;
    Layout host(leaf->layout().minor_to_major());
    for (const SplitConfig& split : leaf->layout().split_configs()) {
      host.add_split_configs(split);
    }
    *leaf->mutable_layout() = std::move(host);
  });
  return shape;
}

bool ShapeUtil::DeviceShapeIsHostShape(const Shape& shape) {
  return shape == DeviceShapeToHostShape(shape);
}

}  // namespace xla
