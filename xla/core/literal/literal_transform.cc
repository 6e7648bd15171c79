// New literals that hold another's elements in other places: relayout, slice,
// reshape, broadcast, transpose, static and bounded forms. Values do not
// change.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/layout.h"
#include "xla/core/layout_util.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

std::string Dims(absl::Span<const int64_t> dims) {
  return absl::StrCat("[", absl::StrJoin(dims, ","), "]");
}

// Makes a static array shape, without fields that only apply to the old
// dimensions.
Shape ArrayShape(PrimitiveType type, absl::Span<const int64_t> dims,
                 absl::Span<const int64_t> minor_to_major) {
  Shape shape(type, dims);
  *shape.mutable_layout() = Layout(minor_to_major);
  return shape;
}

// Returns the sizes of the box at the origin that both arrays contain.
DimensionVector CommonSizes(const LiteralPiece& a, const Shape& b) {
  DimensionVector sizes(b.dimensions_size());
  for (int i = 0; i < b.dimensions_size(); ++i) {
    sizes[i] = std::min(a.dynamic_size(i), b.dimensions(i));
  }
  return sizes;
}

}  // namespace

Literal LiteralBase::Relayout(const Layout& new_layout,
                              const ShapeIndex& shape_index) const {
  Shape new_shape = shape();
  Shape* leaf = ShapeUtil::GetMutableSubshape(&new_shape, shape_index);
  CHECK(leaf->IsArray()) << "relayout of " << leaf->ToString();
  *leaf->mutable_layout() = new_layout;
  return Relayout(new_shape);
}

Literal LiteralBase::Relayout(const Shape& shape_with_layout) const {
  CHECK(ShapeUtil::Compatible(shape_with_layout, shape()))
      << "relayout of " << shape().ToString() << " as "
      << shape_with_layout.ToString(true);
  Literal result(shape_with_layout);
  CHECK_OK(result.CopyFrom(*this));
  return result;
}

Literal LiteralBase::ToStatic() const {
  Shape new_shape = shape();
  ShapeUtil::ForEachMutableSubshape(
      &new_shape, [this](Shape* part, const ShapeIndex& index) {
        if (!part->IsArray()) return;
        for (int i = 0; i < part->dimensions_size(); ++i) {
          if (!part->is_dynamic_dimension(i)) continue;
          part->set_dimensions(i, GetDynamicSize(i, index), false);
        }
      });
  Literal result(new_shape);
  CHECK_OK(result.CopyFrom(*this, {}, {}, /*only_dynamic_bound=*/true));
  return result;
}

Literal LiteralBase::ToBoundedDynamic(const Shape& bounded_shape) const {
  CHECK(bounded_shape.is_dynamic()) << bounded_shape.ToString();
  Literal result(bounded_shape);
  ShapeUtil::ForEachSubshape(bounded_shape, [&](const Shape& part,
                                                const ShapeIndex& index) {
    if (!part.IsArray()) return;
    CHECK(ShapeUtil::IndexIsValid(shape(), index) &&
          shape(index).rank() == part.rank())
        << shape().ToString() << " to " << bounded_shape.ToString();
    for (int i = 0; i < part.dimensions_size(); ++i) {
      if (!part.is_dynamic_dimension(i)) continue;
      result.SetDynamicSize(i, index,
                            static_cast<DynamicSizeType>(std::min<int64_t>(
                                GetDynamicSize(i, index), part.dimensions(i))));
    }
  });
  CHECK_OK(result.CopyFrom(*this, {}, {}, /*only_dynamic_bound=*/true));
  return result;
}

Literal LiteralBase::Slice(absl::Span<const int64_t> start_indices,
                           absl::Span<const int64_t> limit_indices) const {
  CHECK(shape().IsArray()) << "slice of " << shape().ToString();
  const int rank = shape().dimensions_size();
  CHECK_EQ(static_cast<int>(start_indices.size()), rank);
  CHECK_EQ(static_cast<int>(limit_indices.size()), rank);
  DimensionVector sizes(rank);
  for (int i = 0; i < rank; ++i) {
    CHECK(0 <= start_indices[i] && start_indices[i] <= limit_indices[i] &&
          limit_indices[i] <= shape().dimensions(i))
        << "slice " << Dims(start_indices) << " to " << Dims(limit_indices)
        << " of " << shape().ToString();
    sizes[i] = limit_indices[i] - start_indices[i];
  }
  Shape result_shape = ArrayShape(shape().element_type(), sizes,
                                  shape().layout().minor_to_major());
  for (int i = 0; i < rank; ++i) {
    result_shape.set_dynamic_dimension(i, shape().is_dynamic_dimension(i));
  }
  Literal result(result_shape);
  const int width = LiteralElementBytes(shape().element_type());
  if (result.element_count() > 0) {
    const LiteralPiece& p = root_piece();
    StridedCopy(width, sizes, p.buffer + p.LinearIndex(start_indices) * width,
                DenseStrides(shape()), result.untyped_data(),
                DenseStrides(result_shape));
  }
  for (int i = 0; i < rank; ++i) {
    if (!shape().is_dynamic_dimension(i)) continue;
    int64_t left = GetDynamicSize(i) - start_indices[i];
    result.SetDynamicSize(
        i, static_cast<int32_t>(std::clamp<int64_t>(left, 0, sizes[i])));
  }
  return result;
}

Literal LiteralBase::SubLiteral(ShapeIndexView shape_index) const {
  return LiteralSlice(*this, ShapeIndex(shape_index)).Clone();
}

Literal LiteralBase::Clone() const {
  Literal result(shape(), /*allocate_arrays=*/IsKnown());
  CHECK_OK(result.CopyFrom(*this));
  return result;
}

std::unique_ptr<Literal> LiteralBase::CloneToUnique() const {
  return std::make_unique<Literal>(Clone());
}

Literal LiteralBase::Replicate(int64_t times) const {
  CHECK(shape().IsArray() && times >= 0);
  DimensionVector dims = {times};
  std::vector<int64_t> mapping;
  for (int i = 0; i < shape().dimensions_size(); ++i) {
    dims.push_back(shape().dimensions(i));
    mapping.push_back(i + 1);
  }
  absl::StatusOr<Literal> result =
      Broadcast(ShapeUtil::MakeShape(shape().element_type(), dims), mapping);
  CHECK_OK(result.status());
  return *std::move(result);
}

absl::StatusOr<Literal> LiteralBase::Reshape(
    absl::Span<const int64_t> dimensions) const {
  if (!shape().IsArray() || shape().is_dynamic()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "reshape: needs a static array, got ", shape().ToString()));
  }
  TF_ASSIGN_OR_RETURN(
      Shape result_shape,
      ShapeUtil::MakeValidatedShape(shape().element_type(), dimensions));
  if (ShapeUtil::ElementsIn(result_shape) != element_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("reshape: ", shape().ToString(),
                     " does not have the elements of ", Dims(dimensions)));
  }
  TF_ASSIGN_OR_RETURN(Literal result, Literal::Make(result_shape));
  Layout row_major = LayoutUtil::GetDefaultLayoutForShape(shape());
  Shape view = ArrayShape(shape().element_type(), shape().dimensions(),
                          row_major.minor_to_major());
  StridedCopy(LiteralElementBytes(shape().element_type()), shape().dimensions(),
              untyped_data(), DenseStrides(shape()), result.untyped_data(),
              DenseStrides(view));
  return result;
}

absl::StatusOr<Literal> LiteralBase::Broadcast(
    const Shape& result_shape, absl::Span<const int64_t> dimensions) const {
  auto error = [&](absl::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat(
        "broadcast: ", shape().ToString(), " to ", result_shape.ToString(),
        ", dimensions ", Dims(dimensions), ": ", what));
  };
  if (!shape().IsArray() || !result_shape.IsArray()) return error("not arrays");
  if (shape().element_type() != result_shape.element_type()) {
    return error("the element types differ");
  }
  if (static_cast<int>(dimensions.size()) != shape().dimensions_size()) {
    return error("one dimension number is needed for each dimension");
  }
  TF_ASSIGN_OR_RETURN(Literal result,
                      Literal::Make(DenseLiteralShape(result_shape)));
  const DimensionVector strides = DenseStrides(shape());
  DimensionVector src_strides(result_shape.dimensions_size(), 0);
  std::vector<bool> taken(result_shape.dimensions_size());
  for (size_t i = 0; i < dimensions.size(); ++i) {
    int64_t to = dimensions[i];
    if (to < 0 || to >= result_shape.dimensions_size() || taken[to]) {
      return error("the dimension numbers are out of range or repeated");
    }
    if (shape().dimensions(i) != result_shape.dimensions(to)) {
      return error("the sizes differ");
    }
    taken[to] = true;
    src_strides[to] = strides[i];
  }
  StridedCopy(LiteralElementBytes(shape().element_type()),
              result_shape.dimensions(), untyped_data(), src_strides,
              result.untyped_data(), DenseStrides(result.shape()));
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (!shape().is_dynamic_dimension(i)) continue;
    result.SetDynamicSize(dimensions[i], GetDynamicSize(i));
  }
  return result;
}

Literal LiteralBase::Transpose(absl::Span<const int64_t> permutation) const {
  CHECK(shape().IsArray()) << "transpose of " << shape().ToString();
  const size_t rank = shape().dimensions_size();
  CHECK_EQ(permutation.size(), rank);
  DimensionVector dims(rank, -1);
  DimensionVector inverse(rank, -1);
  for (size_t i = 0; i < rank; ++i) {
    int64_t from = permutation[i];
    CHECK(from >= 0 && from < static_cast<int64_t>(rank) && inverse[from] < 0)
        << Dims(permutation) << " is not a permutation";
    inverse[from] = static_cast<int64_t>(i);
    dims[i] = shape().dimensions(from);
  }
  DimensionVector minor_to_major;
  for (int64_t dim : shape().layout().minor_to_major()) {
    minor_to_major.push_back(inverse[dim]);
  }
  Shape result_shape = ArrayShape(shape().element_type(), dims, minor_to_major);
  for (size_t i = 0; i < rank; ++i) {
    result_shape.set_dynamic_dimension(
        i, shape().is_dynamic_dimension(permutation[i]));
  }
  Literal result(result_shape);
  std::copy_n(root_piece().buffer, size_bytes(), result.root_piece().buffer);
  for (size_t i = 0; i < rank; ++i) {
    if (!result_shape.is_dynamic_dimension(i)) continue;
    result.SetDynamicSize(i, GetDynamicSize(permutation[i]));
  }
  return result;
}

namespace {

// Copies one array; with `bounds`, only the box that both contain. A dynamic
// one gives its sizes to another one.
void CopyArray(const LiteralPiece& src, LiteralPiece& dest, bool bounds) {
  if (src.buffer == dest.buffer) return;
  const Shape& shape = *dest.shape;
  const bool same_order =
      src.shape->layout().minor_to_major() == shape.layout().minor_to_major();
  if (!bounds && same_order) {
    std::memcpy(dest.buffer, src.buffer, dest.size_bytes());
  } else {
    DimensionVector sizes(shape.dimensions().begin(), shape.dimensions().end());
    if (bounds) {
      sizes = CommonSizes(src, shape);
      for (size_t i = 0; i < sizes.size(); ++i) {
        sizes[i] = std::min(sizes[i], dest.dynamic_size(i));
      }
    }
    StridedCopy(LiteralElementBytes(shape.element_type()), sizes, src.buffer,
                DenseStrides(*src.shape), dest.buffer, DenseStrides(shape));
  }
  if (dest.dynamic_sizes == nullptr || src.shape->is_static()) return;
  for (int i = 0; i < shape.dimensions_size(); ++i) {
    dest.dynamic_sizes[i] = static_cast<int32_t>(
        std::min(src.dynamic_size(i), shape.dimensions(i)));
  }
}

// Copies the values of a tree, or that there are none. A placeholder that gets
// values gets memory for them if its literal can own some.
absl::Status CopyPieces(const LiteralPiece& src, LiteralPiece& dest,
                        bool bounds, bool may_allocate) {
  for (size_t i = 0; i < src.children.size(); ++i) {
    TF_RETURN_IF_ERROR(
        CopyPieces(src.children[i], dest.children[i], bounds, may_allocate));
  }
  if (src.buffer != nullptr && dest.buffer == nullptr) {
    if (!may_allocate) {
      return absl::FailedPreconditionError(absl::StrCat(
          "literal: no memory for values in a view of a placeholder for ",
          dest.shape->ToString()));
    }
    TF_RETURN_IF_ERROR(AllocatePieces(dest));
  }
  dest.state = src.state;
  if (src.buffer != nullptr && src.element_count() > 0 &&
      dest.element_count() > 0) {
    CopyArray(src, dest, bounds);
  }
  return absl::OkStatus();
}

// Like Compatible, but sizes may differ in dimensions that are dynamic in
// either shape.
bool SameUpToBounds(const Shape& a, const Shape& b) {
  if (a.element_type() != b.element_type()) return false;
  if (a.IsTuple()) {
    return std::equal(a.tuple_shapes().begin(), a.tuple_shapes().end(),
                      b.tuple_shapes().begin(), b.tuple_shapes().end(),
                      SameUpToBounds);
  }
  if (a.dimensions_size() != b.dimensions_size()) return false;
  for (int i = 0; i < a.dimensions_size(); ++i) {
    if (a.dimensions(i) != b.dimensions(i) && !a.is_dynamic_dimension(i) &&
        !b.is_dynamic_dimension(i)) {
      return false;
    }
  }
  return true;
}

}  // namespace

absl::Status MutableLiteralBase::CopyFrom(const LiteralSlice& src_literal,
                                          const ShapeIndex& dest_shape_index,
                                          const ShapeIndex& src_shape_index,
                                          bool only_dynamic_bound) {
  if (!ShapeUtil::IndexIsValid(shape(), dest_shape_index) ||
      !ShapeUtil::IndexIsValid(src_literal.shape(), src_shape_index)) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: no part ", dest_shape_index.ToString(), " in ",
                     shape().ToString(), " or ", src_shape_index.ToString(),
                     " in ", src_literal.shape().ToString()));
  }
  const LiteralPiece& src = src_literal.piece(src_shape_index);
  LiteralPiece& dest = const_cast<LiteralPiece&>(piece(dest_shape_index));
  const bool fits = only_dynamic_bound
                        ? SameUpToBounds(*dest.shape, *src.shape)
                        : ShapeUtil::Compatible(*dest.shape, *src.shape);
  if (!fits) {
    return absl::InvalidArgumentError(
        absl::StrCat("Destination subshape incompatible with source subshape: ",
                     dest.shape->ToString(), " vs ", src.shape->ToString()));
  }
  return CopyPieces(src, dest, only_dynamic_bound,
                    dynamic_cast<const Literal*>(this) != nullptr);
}

absl::Status MutableLiteralBase::CopySliceFrom(
    const LiteralSlice& src_literal, absl::Span<const int64_t> src_base,
    absl::Span<const int64_t> dest_base, absl::Span<const int64_t> copy_size) {
  const Shape& from = src_literal.shape();
  // Without sizes, one element is copied from or to a scalar.
  const bool single =
      copy_size.empty() && (from.rank() == 0 || shape().rank() == 0);
  auto inside = [&](const Shape& s, absl::Span<const int64_t> base) {
    if (!s.IsArray() || static_cast<int>(base.size()) != s.dimensions_size() ||
        (!single && base.size() != copy_size.size())) {
      return false;
    }
    for (size_t i = 0; i < base.size(); ++i) {
      const int64_t size = single ? 1 : copy_size[i];
      if (base[i] < 0 || size < 0 || size > s.dimensions(i) - base[i]) {
        return false;
      }
    }
    return true;
  };
  if (from.element_type() != shape().element_type() ||
      !inside(from, src_base) || !inside(shape(), dest_base)) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: cannot copy ", Dims(copy_size),
                     " elements from ", Dims(src_base), " of ", from.ToString(),
                     " to ", Dims(dest_base), " of ", shape().ToString()));
  }
  if (absl::c_linear_search(copy_size, 0)) return absl::OkStatus();
  const int width = LiteralElementBytes(shape().element_type());
  const LiteralPiece& src = src_literal.root_piece();
  const LiteralPiece& dest = root_piece();
  const char* source = src.buffer + src.LinearIndex(src_base) * width;
  char* target = dest.buffer + dest.LinearIndex(dest_base) * width;
  if (single) {
    std::memcpy(target, source, width);
  } else {
    StridedCopy(width, copy_size, source, DenseStrides(from), target,
                DenseStrides(shape()));
  }
  return absl::OkStatus();
}

absl::Status MutableLiteralBase::CopyElementFrom(
    const LiteralSlice& src_literal, absl::Span<const int64_t> src_index,
    absl::Span<const int64_t> dest_index) {
  const LiteralPiece& src = src_literal.root_piece();
  if (!shape().IsArray() ||
      src.shape->element_type() != shape().element_type()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: cannot copy an element of ",
                     src.shape->ToString(), " to ", shape().ToString()));
  }
  const int width = LiteralElementBytes(shape().element_type());
  std::memmove(
      root_piece().buffer + root_piece().LinearIndex(dest_index) * width,
      src.buffer + src.LinearIndex(src_index) * width, width);
  return absl::OkStatus();
}

}  // namespace xla
