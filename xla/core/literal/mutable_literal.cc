// Writes single elements and fills literals from generators and arrays.
#include "xla/core/literal/mutable_literal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/array/bitmap.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {

void MutableLiteralBase::SetDynamicSize(int64_t dim_index,
                                        const ShapeIndex& shape_index,
                                        DynamicSizeType size) {
  LiteralPiece& p = const_cast<LiteralPiece&>(piece(shape_index));
  CHECK(p.shape->IsArray() && dim_index >= 0 && dim_index < p.shape->rank())
      << "no dimension " << dim_index << " in " << p.shape->ToString();
  CHECK(size >= 0 && size <= p.shape->dimensions(dim_index))
      << "size " << size << " of dimension " << dim_index << " of "
      << p.shape->ToString();
  if (p.dynamic_sizes == nullptr) {
    // No dimension was dynamic, or this is a view of a buffer.
    p.added_sizes = std::make_unique<int32_t[]>(p.shape->rank());
    p.dynamic_sizes = p.added_sizes.get();
    for (int i = 0; i < p.shape->dimensions_size(); ++i) {
      p.dynamic_sizes[i] = static_cast<int32_t>(p.shape->dimensions(i));
    }
  }
  ShapeUtil::GetMutableSubshape(mutable_shape_do_not_use(), shape_index)
      ->set_dynamic_dimension(dim_index, true);
  p.dynamic_sizes[dim_index] = size;
}

absl::Status MutableLiteralBase::SetIntegralAsS64(
    absl::Span<const int64_t> multi_index, int64_t value) {
  const PrimitiveType type = shape().element_type();
  if (type != PRED && !primitive_util::IsIntegralType(type)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "literal: the elements of ", shape().ToString(), " are no integers"));
  }
  const LiteralPiece& p = root_piece();
  ConvertElements(
      S64, &value, type,
      p.buffer + p.LinearIndex(multi_index) * LiteralElementBytes(type), 1);
  return absl::OkStatus();
}

absl::Status MutableLiteralBase::SetFromDouble(
    absl::Span<const int64_t> multi_index, double value) {
  const PrimitiveType type = shape().element_type();
  if (!primitive_util::IsFloatingPointType(type)) {
    return absl::FailedPreconditionError(
        absl::StrCat("literal: the elements of ", shape().ToString(),
                     " are no floating-point numbers"));
  }
  const LiteralPiece& p = root_piece();
  ConvertElements(
      F64, &value, type,
      p.buffer + p.LinearIndex(multi_index) * LiteralElementBytes(type), 1);
  return absl::OkStatus();
}

absl::Status MutableLiteralBase::WriteEach(
    absl::FunctionRef<void(void*, absl::Span<const int64_t>)> write) {
  if (!shape().IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: cannot populate ", shape().ToString()));
  }
  char* element = root_piece().buffer;
  const int width = LiteralElementBytes(shape().element_type());
  DimensionVector index(shape().dimensions_size(), 0);
  for (int64_t left = element_count(); left > 0; --left, element += width) {
    write(element, index);
    for (int64_t dim : shape().layout().minor_to_major()) {
      if (++index[dim] < shape().dimensions(dim)) break;
      index[dim] = 0;
    }
  }
  return absl::OkStatus();
}

absl::Status MutableLiteralBase::WriteLinear(
    absl::FunctionRef<void(void*, int64_t)> write) {
  if (!shape().IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("literal: cannot populate ", shape().ToString()));
  }
  char* element = root_piece().buffer;
  const int width = LiteralElementBytes(shape().element_type());
  const int64_t count = element_count();
  for (int64_t i = 0; i < count; ++i) write(element + i * width, i);
  return absl::OkStatus();
}

void MutableLiteralBase::PopulateR1(const tsl::core::Bitmap& values) {
  CHECK_EQ(element_count(), static_cast<int64_t>(values.bits()));
  size_t i = 0;
  for (bool& element : data<bool>()) element = values.get(i++);
}

absl::Status MutableLiteralBase::CheckArrayOf(PrimitiveType type) const {
  if (shape().IsArray() && shape().element_type() == type) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("literal: ", shape().ToString(), " populated with ",
                   PrimitiveType_Name(type)));
}

void MutableLiteralBase::CopyRowMajor(const void* values,
                                      absl::Span<const int64_t> dimensions,
                                      PrimitiveType type) {
  bool fits = shape().element_type() == type &&
              shape().dimensions().size() == dimensions.size();
  for (size_t i = 0; fits && i < dimensions.size(); ++i) {
    fits = dimensions[i] == shape().dimensions(i) ||
           dimensions[i] == GetDynamicSize(i);
  }
  CHECK(fits) << shape().ToString() << " populated with "
              << PrimitiveType_Name(type) << "["
              << absl::StrJoin(dimensions, ",") << "]";
  DimensionVector strides(dimensions.size());
  int64_t stride = 1;
  for (size_t i = dimensions.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= dimensions[i];
  }
  StridedCopy(LiteralElementBytes(type), dimensions, values, strides,
              untyped_data(), DenseStrides(shape()));
}

}  // namespace xla
