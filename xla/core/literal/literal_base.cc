// Access to single elements, equality and hashes of literals.
#include "xla/core/literal/literal_base.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/dimension_vector.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/element_text.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_elements.h"
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

// Calls `visit` with the index of each element, in row-major order, and its
// offsets in bytes in two arrays with these strides, until it returns false.
// Returns whether it never did.
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

bool EqualArrays(const LiteralPiece& a, const LiteralPiece& b) {
  const bool same_order =
      a.shape->layout().minor_to_major() == b.shape->layout().minor_to_major();
  const int unused = UnusedBits(a.shape->element_type());
  if (same_order && unused == 0 && a.shape->is_static() &&
      b.shape->is_static()) {
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

bool EqualPieces(const LiteralPiece& a, const LiteralPiece& b,
                 bool layout_sensitive) {
  if (&a == &b) return true;
  if (a.shape->element_type() != b.shape->element_type() ||
      a.children.size() != b.children.size()) {
    return false;
  }
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!EqualPieces(a.children[i], b.children[i], layout_sensitive)) {
      return false;
    }
  }
  if (!a.shape->IsArray()) return true;
  if (a.shape->dimensions_size() != b.shape->dimensions_size() ||
      (layout_sensitive && a.shape->layout() != b.shape->layout())) {
    return false;
  }
  for (int i = 0; i < a.shape->dimensions_size(); ++i) {
    if (a.dynamic_size(i) != b.dynamic_size(i)) return false;
  }
  if (a.buffer == nullptr || b.buffer == nullptr) {
    return a.element_count() == 0 || a.buffer == b.buffer;
  }
  return EqualArrays(a, b);
}

size_t HashPiece(const LiteralPiece& piece, int64_t byte_limit) {
  size_t code = piece.children.size();
  for (const LiteralPiece& child : piece.children) {
    code = absl::HashOf(code, HashPiece(child, byte_limit));
  }
  if (!piece.shape->IsArray() || piece.buffer == nullptr) return code;
  const DimensionVector sizes = CurrentSizes(piece);
  const DimensionVector strides = DenseStrides(*piece.shape);
  const int width = LiteralElementBytes(piece.shape->element_type());
  // Hashes in row-major order, so that layouts do not matter.
  const int unused = UnusedBits(piece.shape->element_type());
  int64_t left = byte_limit;
  ForEachOffset(sizes, strides, strides, width,
                [&](absl::Span<const int64_t>, int64_t at, int64_t) {
                  const char* element = piece.buffer + at;
                  const char narrow = static_cast<char>(*element << unused);
                  code = absl::HashOf(
                      code, unused == 0 ? absl::string_view(element, width)
                                        : absl::string_view(&narrow, 1));
                  return (left -= width) > 0;
                });
  return code;
}

}  // namespace

const LiteralPiece& LiteralElements::piece(ShapeIndexView shape_index) const {
  const LiteralPiece* p = &root_piece();
  for (int64_t i : shape_index) {
    CHECK(i >= 0 && i < static_cast<int64_t>(p->children.size()))
        << "no part " << i << " in " << p->shape->ToString();
    p = &p->children[i];
  }
  return *p;
}

const LiteralPiece& LiteralElements::TypedPiece(const ShapeIndex& shape_index,
                                                PrimitiveType type) const {
  const LiteralPiece& p = piece(shape_index);
  CHECK(p.shape->element_type() == type)
      << "a literal of " << p.shape->ToString() << " used as "
      << PrimitiveType_Name(type);
  return p;
}

int64_t LiteralElements::total_bytes() const {
  int64_t total = 0;
  ForEachPiece(root_piece(),
               [&](const LiteralPiece& p) { total += p.size_bytes(); });
  return total;
}

std::optional<int64_t> LiteralElements::GetFirstInteger() const {
  if (!primitive_util::IsIntegralType(shape().element_type())) {
    return std::nullopt;
  }
  if (element_count() == 0) return std::nullopt;
  int64_t value = 0;
  ConvertElements(shape().element_type(), root_piece().buffer, S64, &value, 1);
  if (shape().element_type() == U64 && value < 0) return std::nullopt;
  return value;
}

std::string LiteralElements::GetAsString(absl::Span<const int64_t> multi_index,
                                         const ShapeIndex& shape_index) const {
  const LiteralPiece& p = piece(shape_index);
  std::string text;
  AppendElement(p.shape->element_type(), At(p, multi_index), &text);
  return text;
}

std::optional<int64_t> LiteralElements::GetIntegralAsS64(
    absl::Span<const int64_t> multi_index) const {
  PrimitiveType type = shape().element_type();
  if (type != PRED && !primitive_util::IsIntegralType(type)) {
    return std::nullopt;
  }
  int64_t value = 0;
  ConvertElements(type, At(root_piece(), multi_index), S64, &value, 1);
  return value;
}

std::optional<double> LiteralElements::GetAsDouble(
    absl::Span<const int64_t> multi_index) const {
  const PrimitiveType type = shape().element_type();
  if (!primitive_util::IsFloatingPointType(type)) return std::nullopt;
  double value = 0;
  ConvertElements(type, At(root_piece(), multi_index), F64, &value, 1);
  return value;
}

std::optional<double> LiteralElements::GetSumAsDouble(
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

std::optional<complex128> LiteralElements::GetAsComplex128(
    absl::Span<const int64_t> multi_index) const {
  const PrimitiveType type = shape().element_type();
  // Not all integers of 64 bits are numbers of F64.
  if (!shape().IsArray() || type == S64 || type == U64 || type == PRED) {
    return std::nullopt;
  }
  return AsComplex128(type, At(root_piece(), multi_index));
}

bool LiteralElements::IsEqualAt(absl::Span<const int64_t> multi_index,
                                complex128 value) const {
  if (!shape().IsArray()) return false;
  return AsComplex128(shape().element_type(), At(root_piece(), multi_index)) ==
         value;
}

bool LiteralElements::IsIntegerAt(absl::Span<const int64_t> multi_index,
                                  int64_t bits, bool is_beyond) const {
  if (!shape().IsArray()) return false;
  const std::optional<int64_t> integer = GetIntegralAsS64(multi_index);
  if (!integer.has_value()) {
    const double value = is_beyond
                             ? static_cast<double>(static_cast<uint64_t>(bits))
                             : static_cast<double>(bits);
    return IsEqualAt(multi_index, complex128(value, 0));
  }
  // An element beyond int64 appears as a negative number.
  const bool has_sign = shape().element_type() != U64;
  return *integer == bits && is_beyond == (!has_sign && *integer < 0);
}

std::string LiteralElements::GetR1U8AsString() const {
  CHECK(shape().IsArray() && shape().dimensions_size() == 1);
  absl::Span<const uint8_t> bytes = data<uint8_t>();
  return std::string(reinterpret_cast<const char*>(bytes.data()),
                     GetDynamicSize(0));
}

bool LiteralElements::EachElement(
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

void LiteralElements::EachCellAsString(
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
  return EqualPieces(root_piece(), other.root_piece(), layout_sensitive);
}

size_t LiteralBase::HashCode(bool layout_sensitive, int64_t byte_limit) const {
  size_t code = HashPiece(root_piece(), byte_limit);
  ForEachPiece(root_piece(), [&](const LiteralPiece& p) {
    code = absl::HashOf(code, static_cast<int>(p.shape->element_type()));
    if (!p.shape->IsArray()) return;
    code = absl::HashOf(code, CurrentSizes(p));
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
