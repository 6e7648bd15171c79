// Access to single elements, equality and hashes of literals.
#include "xla/core/literal/literal_base.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/element_text.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/strided_copy.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// The address of one element.
const char* At(const LiteralPiece& piece,
               absl::Span<const int64_t> multi_index) {
  return piece.buffer + piece.LinearIndex(multi_index) *
                            LiteralElementBytes(piece.shape->element_type());
}

complex128 AsComplex128(PrimitiveType type, const void* element) {
  complex128 value;
  ConvertElements(type, element, C128, &value, 1);
  return value;
}

DimensionVector CurrentSizes(const LiteralPiece& piece) {
  DimensionVector sizes(piece.shape->dimensions_size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    sizes[i] = piece.dynamic_size(static_cast<int64_t>(i));
  }
  return sizes;
}

// Calls `visit` with the byte offsets of the same element of two arrays, in
// row-major order, until it returns false.
bool ForEachOffset(
    absl::Span<const int64_t> sizes, absl::Span<const int64_t> a_strides,
    absl::Span<const int64_t> b_strides, int width,
    absl::FunctionRef<bool(absl::Span<const int64_t>, int64_t, int64_t)>
        visit) {
  for (int64_t size : sizes) {
    if (size == 0) return true;
  }
  DimensionVector index(sizes.size(), 0);
  int64_t a = 0;
  int64_t b = 0;
  while (true) {
    if (!visit(index, a * width, b * width)) return false;
    size_t i = sizes.size();
    for (; i-- > 0;) {
      a += a_strides[i];
      b += b_strides[i];
      if (++index[i] < sizes[i]) break;
      a -= a_strides[i] * sizes[i];
      b -= b_strides[i] * sizes[i];
      index[i] = 0;
    }
    if (i == static_cast<size_t>(-1)) return true;
  }
}

// Returns the number of high bits of an element's byte that are not part of its
// value.
int UnusedBits(const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  return primitive_util::IsSubByteNonPredType(type)
             ? 8 - primitive_util::BitWidth(type)
             : 0;
}

bool EqualArrays(const LiteralPiece& a, const LiteralPiece& b) {
  if (a.element_count() == 0 || a.buffer == b.buffer) return true;
  const bool same_order =
      a.shape->layout().minor_to_major() == b.shape->layout().minor_to_major();
  const int unused = UnusedBits(*a.shape);
  if (same_order && a.shape->is_static() && unused == 0) {
    return std::memcmp(a.buffer, b.buffer, a.size_bytes()) == 0;
  }
  const int width = LiteralElementBytes(a.shape->element_type());
  return ForEachOffset(
      CurrentSizes(a), DenseStrides(*a.shape), DenseStrides(*b.shape), width,
      [&](absl::Span<const int64_t>, int64_t a_at, int64_t b_at) {
        if (unused != 0) {
          return static_cast<uint8_t>(a.buffer[a_at] << unused) ==
                 static_cast<uint8_t>(b.buffer[b_at] << unused);
        }
        return std::memcmp(a.buffer + a_at, b.buffer + b_at, width) == 0;
      });
}

bool EqualPieces(const LiteralPiece& a, const LiteralPiece& b) {
  if (a.shape->IsTuple()) {
    for (size_t i = 0; i < a.children.size(); ++i) {
      if (!EqualPieces(a.children[i], b.children[i])) return false;
    }
    return true;
  }
  if (!a.shape->IsArray()) return true;
  for (int i = 0; i < a.shape->dimensions_size(); ++i) {
    if (a.dynamic_size(i) != b.dynamic_size(i)) return false;
  }
  if (a.buffer == nullptr || b.buffer == nullptr) {
    return a.element_count() == 0 || a.buffer == b.buffer;
  }
  return EqualArrays(a, b);
}

size_t HashPiece(const LiteralPiece& piece) {
  size_t code = piece.children.size();
  for (const LiteralPiece& child : piece.children) {
    code = absl::HashOf(code, HashPiece(child));
  }
  if (!piece.shape->IsArray() || piece.buffer == nullptr) return code;
  const DimensionVector sizes = CurrentSizes(piece);
  const DimensionVector strides = DenseStrides(*piece.shape);
  const int width = LiteralElementBytes(piece.shape->element_type());
  // Hashes in row-major order, so that layouts do not matter, and only the
  // first elements of long arrays: at most 256, since a hash need not cost more
  // than the comparison that it saves.
  const int unused = UnusedBits(*piece.shape);
  int left = 256;
  ForEachOffset(sizes, strides, strides, width,
                [&](absl::Span<const int64_t>, int64_t at, int64_t) {
                  const char* element = piece.buffer + at;
                  const char narrow = static_cast<char>(*element << unused);
                  code = absl::HashOf(
                      code, unused == 0 ? absl::string_view(element, width)
                                        : absl::string_view(&narrow, 1));
                  return --left > 0;
                });
  return code;
}

}  // namespace

const LiteralPiece& LiteralBase::piece(ShapeIndexView shape_index) const {
  const LiteralPiece* p = &root_piece();
  for (int64_t i : shape_index) {
    CHECK(i >= 0 && i < static_cast<int64_t>(p->children.size()))
        << "no part " << i << " in " << p->shape->ToString();
    p = &p->children[i];
  }
  return *p;
}

const LiteralPiece& LiteralBase::TypedPiece(const ShapeIndex& shape_index,
                                            PrimitiveType type) const {
  const LiteralPiece& p = piece(shape_index);
  CHECK(p.shape->element_type() == type)
      << "a literal of " << p.shape->ToString() << " used as "
      << PrimitiveType_Name(type);
  return p;
}

int64_t LiteralBase::total_bytes() const {
  int64_t total = 0;
  ForEachPiece(root_piece(),
               [&](const LiteralPiece& p) { total += p.size_bytes(); });
  return total;
}

std::optional<int64_t> LiteralBase::GetFirstInteger() const {
  if (!primitive_util::IsIntegralType(shape().element_type())) {
    return std::nullopt;
  }
  if (element_count() == 0) return std::nullopt;
  int64_t value = 0;
  ConvertElements(shape().element_type(), root_piece().buffer, S64, &value, 1);
  if (shape().element_type() == U64 && value < 0) return std::nullopt;
  return value;
}

std::string LiteralBase::GetAsString(absl::Span<const int64_t> multi_index,
                                     const ShapeIndex& shape_index) const {
  const LiteralPiece& p = piece(shape_index);
  std::string text;
  AppendElement(p.shape->element_type(), At(p, multi_index), &text);
  return text;
}

std::optional<int64_t> LiteralBase::GetIntegralAsS64(
    absl::Span<const int64_t> multi_index) const {
  PrimitiveType type = shape().element_type();
  if (type != PRED && !primitive_util::IsIntegralType(type)) {
    return std::nullopt;
  }
  int64_t value = 0;
  ConvertElements(type, At(root_piece(), multi_index), S64, &value, 1);
  return value;
}

std::optional<double> LiteralBase::GetAsDouble(
    absl::Span<const int64_t> multi_index) const {
  PrimitiveType type = shape().element_type();
  if (!shape().IsArray() || primitive_util::IsComplexType(type)) {
    return std::nullopt;
  }
  double value = 0;
  ConvertElements(type, At(root_piece(), multi_index), F64, &value, 1);
  return value;
}

std::optional<double> LiteralBase::GetSumAsDouble(
    absl::Span<const int64_t> linear_indices) const {
  PrimitiveType type = shape().element_type();
  if (!primitive_util::IsFloatingPointType(type)) return std::nullopt;
  double sum = 0;
  for (int64_t linear : linear_indices) {
    CHECK(linear >= 0 && linear < element_count());
    double value = 0;
    ConvertElements(type,
                    root_piece().buffer + linear * LiteralElementBytes(type),
                    F64, &value, 1);
    sum += value;
  }
  return sum;
}

std::optional<complex128> LiteralBase::GetAsComplex128(
    absl::Span<const int64_t> multi_index) const {
  const PrimitiveType type = shape().element_type();
  // Not all of these are numbers of F64.
  if (!shape().IsArray() || type == S64 || type == U64) return std::nullopt;
  return AsComplex128(type, At(root_piece(), multi_index));
}

bool LiteralBase::IsEqualAt(absl::Span<const int64_t> multi_index,
                            complex128 value) const {
  if (!shape().IsArray()) return false;
  return AsComplex128(shape().element_type(), At(root_piece(), multi_index)) ==
         value;
}

bool LiteralBase::IsEqualAt(absl::Span<const int64_t> multi_index,
                            int64_t value) const {
  std::optional<int64_t> integer = GetIntegralAsS64(multi_index);
  if (!integer.has_value()) {
    return IsEqualAt(multi_index, static_cast<double>(value));
  }
  // An element beyond int64 appears as a negative number.
  if (shape().element_type() == U64 && *integer < 0) return false;
  return *integer == value;
}

std::string LiteralBase::GetR1U8AsString() const {
  CHECK(shape().IsArray() && shape().dimensions_size() == 1);
  absl::Span<const uint8_t> bytes = data<uint8_t>();
  return std::string(reinterpret_cast<const char*>(bytes.data()),
                     GetDynamicSize(0));
}

bool LiteralBase::EachElement(
    absl::FunctionRef<bool(absl::Span<const int64_t>, const void*)> per_cell)
    const {
  const LiteralPiece& p = root_piece();
  if (!p.shape->IsArray()) return true;
  const DimensionVector strides = DenseStrides(*p.shape);
  return ForEachOffset(CurrentSizes(p), strides, strides,
                       LiteralElementBytes(p.shape->element_type()),
                       [&](absl::Span<const int64_t> index, int64_t at,
                           int64_t) { return per_cell(index, p.buffer + at); });
}

void LiteralBase::EachCellAsString(
    absl::FunctionRef<void(absl::Span<const int64_t>, const std::string&)>
        per_cell) const {
  EachElement([&](absl::Span<const int64_t> index, const void* value) {
    std::string text;
    AppendElement(shape().element_type(), value, &text);
    per_cell(index, text);
    return true;
  });
}

bool LiteralBase::Equal(const LiteralBase& other, bool layout_sensitive) const {
  const bool same_shape = layout_sensitive
                              ? ShapeUtil::Equal(shape(), other.shape())
                              : ShapeUtil::Compatible(shape(), other.shape());
  return same_shape && EqualPieces(root_piece(), other.root_piece());
}

size_t LiteralBase::HashCode(bool layout_sensitive) const {
  size_t code = HashPiece(root_piece());
  ForEachPiece(root_piece(), [&](const LiteralPiece& p) {
    code = absl::HashOf(code, static_cast<int>(p.shape->element_type()),
                        p.shape->dimensions());
    if (layout_sensitive && p.shape->has_layout()) {
      code = absl::HashOf(code, p.shape->layout().minor_to_major());
    }
  });
  return code;
}

bool LiteralBase::IsKnown(const ShapeIndex& shape_index) const {
  bool known = true;
  ForEachPiece(piece(shape_index), [&](const LiteralPiece& p) {
    known &= p.state == LiteralPiece::State::kKnown;
  });
  return known;
}

bool LiteralBase::IsDetermined(const ShapeIndex& shape_index) const {
  bool determined = true;
  ForEachPiece(piece(shape_index), [&](const LiteralPiece& p) {
    determined &= p.state != LiteralPiece::State::kUndetermined;
  });
  return determined;
}

Literal LiteralBase::CreateFromShape(const Shape& shape) {
  return Literal(shape);
}

}  // namespace xla
