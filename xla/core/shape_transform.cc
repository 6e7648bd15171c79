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
#include "xla/core/index_util.h"
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
  if (original.IsBuffer()) {
    return Shape::MakeBufferShape(
        ChangeElementType(original.buffer_shape(), type));
  }
  Shape result = original;
  if (!result.IsArray()) return result;
  result.set_element_type(type);
  if (result.has_layout()) {
    // Only types smaller than a byte are packed.
    const int64_t bits = result.layout().element_size_in_bits();
    if (bits != 0 && bits < 8) {
      result.mutable_layout()->set_element_size_in_bits(
          primitive_util::IsSubByteNonPredType(type)
              ? primitive_util::BitWidth(type)
              : 0);
    }
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
  CHECK(LayoutUtil::IsDenseArray(*shape)) << HumanStringWithLayout(*shape);
  if (shape->has_layout()) {
    shape->mutable_layout()->add_minor_to_major(shape->rank());
  }
  shape->add_dimensions(bound);
}

void ShapeUtil::AppendMinorDimension(int bound, Shape* shape) {
  CHECK(LayoutUtil::IsDenseArray(*shape)) << HumanStringWithLayout(*shape);
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
    if (!part->has_layout()) return;
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

std::optional<ShapeEqualityDescriptor>
ShapeUtil::InsertedOrDeleted1SizedDimensions(const Shape& before,
                                             const Shape& after) {
  CHECK(before.IsArray() && after.IsArray());
  ShapeEqualityDescriptor result;
  int64_t i = 0, j = 0;
  while (i < before.rank() || j < after.rank()) {
    if (i < before.rank() && j < after.rank() &&
        before.dimensions(i) == after.dimensions(j)) {
      ++i;
      ++j;
    } else if (i < before.rank() && before.dimensions(i) == 1) {
      result.deleted_dimensions.push_back(i++);
    } else if (j < after.rank() && after.dimensions(j) == 1) {
      result.inserted_dimensions.push_back(j++);
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::vector<std::pair<int64_t, int64_t>>
ShapeUtil::DimensionsUnmodifiedByReshape(const Shape& input,
                                         const Shape& output) {
  std::vector<std::pair<int64_t, int64_t>> unmodified;
  const auto cuts = CommonFactors(input.dimensions(), output.dimensions());
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    // A piece with one dimension on each side is the same dimension twice,
    // unless the sizes differ, which happens only in arrays without elements.
    if (cuts[k + 1].first - cuts[k].first == 1 &&
        cuts[k + 1].second - cuts[k].second == 1 &&
        input.dimensions(cuts[k].first) == output.dimensions(cuts[k].second)) {
      unmodified.push_back(cuts[k]);
    }
  }
  return unmodified;
}

std::optional<std::vector<int64_t>>
ShapeUtil::ReshapeLeavesDimensionsUnmodified(
    const Shape& from, const Shape& to,
    absl::Span<const int64_t> input_dim_indices) {
  if (!std::is_sorted(input_dim_indices.begin(), input_dim_indices.end())) {
    return std::nullopt;
  }
  const auto unmodified = DimensionsUnmodifiedByReshape(from, to);
  std::vector<int64_t> output_dims;
  for (int64_t dim : input_dim_indices) {
    auto it = std::find_if(unmodified.begin(), unmodified.end(),
                           [dim](const auto& p) { return p.first == dim; });
    if (it == unmodified.end()) return std::nullopt;
    output_dims.push_back(it->second);
  }
  return output_dims;
}

bool ShapeUtil::TransposeIsBitcast(const Shape& input, const Shape& output,
                                   absl::Span<const int64_t> dimension_mapping,
                                   bool ignore_element_type) {
  CHECK(LayoutUtil::IsDenseArray(input) && LayoutUtil::IsDenseArray(output));
  if (!ignore_element_type && !SameElementType(input, output)) return false;
  // The mapping makes sizes agree, so equal orders place elements equally.
  return ComposePermutations(dimension_mapping,
                             output.layout().minor_to_major()) ==
         std::vector<int64_t>(input.layout().minor_to_major().begin(),
                              input.layout().minor_to_major().end());
}

namespace {

// Returns true when a step along each dimension of `from` covers the same
// distance in the memory of `from` and of `to`, into which it is reshaped.
bool UnitStepsAgree(const Shape& from, const Shape& to) {
  Shape row_major = from;
  row_major.clear_layout();
  Shape to_row_major = to;
  to_row_major.clear_layout();
  DimensionVector index(from.rank(), 0);
  for (int64_t dim = 0; dim < from.rank(); ++dim) {
    if (from.dimensions(dim) <= 1) continue;
    index[dim] = 1;
    const int64_t number =
        IndexUtil::MultidimensionalIndexToLinearIndex(row_major, index);
    const int64_t here =
        IndexUtil::MultidimensionalIndexToLinearIndex(from, index);
    const int64_t there = IndexUtil::MultidimensionalIndexToLinearIndex(
        to,
        IndexUtil::LinearIndexToMultidimensionalIndex(to_row_major, number));
    if (here != there) return false;
    index[dim] = 0;
  }
  return true;
}

}  // namespace

bool ShapeUtil::ReshapeIsBitcast(const Shape& input, const Shape& output,
                                 bool ignore_element_type) {
  CHECK(LayoutUtil::IsDenseArray(input) && LayoutUtil::IsDenseArray(output));
  if (!ignore_element_type && !SameElementType(input, output)) return false;
  CHECK_EQ(ElementsIn(input), ElementsIn(output));
  if (ElementsIn(input) == 0) return true;
  return UnitStepsAgree(input, output) && UnitStepsAgree(output, input);
}

std::optional<std::vector<int64_t>>
ShapeUtil::DeduceTransposeDimensionsForBitcast(const Shape& input,
                                               const Shape& output) {
  if (input.rank() != output.rank() || !input.has_layout() ||
      !output.has_layout()) {
    return std::nullopt;
  }
  // Map each dimension of the output to the input dimension at the same
  // position in the memory order.
  std::vector<int64_t> mapping(output.rank());
  for (int64_t i = 0; i < output.rank(); ++i) {
    const int64_t to = output.layout().minor_to_major(i);
    const int64_t from = input.layout().minor_to_major(i);
    if (input.dimensions(from) != output.dimensions(to)) return std::nullopt;
    mapping[to] = from;
  }
  return mapping;
}

absl::Status ShapeUtil::ForEachIndexWithStatus(const Shape& shape,
                                               absl::Span<const int64_t> base,
                                               absl::Span<const int64_t> count,
                                               absl::Span<const int64_t> incr,
                                               ForEachVisitorFunction fn) {
  const int64_t rank = shape.rank();
  CHECK(static_cast<int64_t>(base.size()) == rank &&
        static_cast<int64_t>(count.size()) == rank &&
        static_cast<int64_t>(incr.size()) == rank);
  for (int64_t dim = 0; dim < rank; ++dim) {
    CHECK_GT(incr[dim], 0);
    if (count[dim] <= 0) return absl::OkStatus();
  }
  DimensionVector index(base.begin(), base.end());
  while (true) {
    TF_ASSIGN_OR_RETURN(bool more, fn(index));
    if (!more) return absl::OkStatus();
    int64_t i = 0;
    for (; i < rank; ++i) {
      const int64_t dim =
          shape.has_layout() ? shape.layout().minor_to_major(i) : rank - 1 - i;
      // Compare differences, since base + count may overflow.
      if (index[dim] - base[dim] < count[dim] - incr[dim]) {
        index[dim] += incr[dim];
        break;
      }
      index[dim] = base[dim];
    }
    if (i == rank) return absl::OkStatus();
  }
}

absl::Status ShapeUtil::ForEachIndexWithStatus(const Shape& shape,
                                               ForEachVisitorFunction fn) {
  const DimensionVector zeros(shape.rank(), 0), ones(shape.rank(), 1);
  return ForEachIndexWithStatus(shape, zeros, shape.dimensions(), ones, fn);
}

void ShapeUtil::ForEachIndexNoStatus(const Shape& shape,
                                     absl::Span<const int64_t> base,
                                     absl::Span<const int64_t> count,
                                     absl::Span<const int64_t> incr,
                                     ForEachVisitorFunctionNoStatus fn) {
  ForEachIndexWithStatus(
      shape, base, count, incr,
      [&](absl::Span<const int64_t> index) -> absl::StatusOr<bool> {
        return fn(index);
      })
      .IgnoreError();
}

void ShapeUtil::ForEachIndexNoStatus(const Shape& shape,
                                     ForEachVisitorFunctionNoStatus fn) {
  const DimensionVector zeros(shape.rank(), 0), ones(shape.rank(), 1);
  ForEachIndexNoStatus(shape, zeros, shape.dimensions(), ones, fn);
}

void ShapeUtil::ForEachIndex(const Shape& shape, absl::Span<const int64_t> base,
                             absl::Span<const int64_t> count,
                             absl::Span<const int64_t> incr,
                             ForEachVisitorFunction fn) {
  CHECK_OK(ForEachIndexWithStatus(shape, base, count, incr, fn));
}

void ShapeUtil::ForEachIndex(const Shape& shape, ForEachVisitorFunction fn) {
  CHECK_OK(ForEachIndexWithStatus(shape, fn));
}

void ShapeUtil::ForEachIndexParallel(const Shape& shape,
                                     ForEachParallelVisitorFunction fn) {
  ForEachIndex(shape,
               [&](absl::Span<const int64_t> index) { return fn(index, 0); });
}

}  // namespace xla
