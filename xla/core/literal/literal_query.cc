// Predicates over all elements of a literal.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/base/types.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/literal/literal.h"
#include "xla/core/literal/literal_base.h"
#include "xla/core/literal/literal_elements.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape.h"

namespace xla {
namespace {

// Elements that are converted at a time, on the stack.
constexpr int64_t kWidened = 256;

// Calls `visit` with runs of the elements converted to `Wide`, in memory order,
// until it returns false. The caller excludes dynamic sizes.
template <typename Wide>
bool ForEachRun(const LiteralPiece& piece, PrimitiveType wide_type,
                absl::FunctionRef<bool(absl::Span<const Wide>)> visit) {
  Wide wide[kWidened];
  const PrimitiveType type = piece.shape->element_type();
  const int width = LiteralElementBytes(type);
  const int64_t count = piece.element_count();
  for (int64_t i = 0; i < count; i += kWidened) {
    int64_t n = std::min(kWidened, count - i);
    ConvertElements(type, piece.buffer + i * width, wide_type, wide, n);
    if (!visit(absl::MakeConstSpan(wide, n))) return false;
  }
  return true;
}

bool IsIntegerOrPred(PrimitiveType type) {
  return type == PRED || primitive_util::IsIntegralType(type);
}

// A NaN is the same as any other.
bool IsSame(double x, double y) {
  return x == y || (std::isnan(x) && std::isnan(y));
}
bool IsSame(complex128 x, complex128 y) {
  return IsSame(x.real(), y.real()) && IsSame(x.imag(), y.imag());
}

bool AllEqual(const LiteralPiece& piece, complex128 value) {
  return ForEachRun<complex128>(
      piece, C128, [&](absl::Span<const complex128> run) {
        return std::all_of(run.begin(), run.end(),
                           [&](complex128 x) { return IsSame(x, value); });
      });
}

// Compares with integers as int64 has them; those beyond it are negative.
bool AllEqualBits(const LiteralPiece& piece, int64_t value) {
  return ForEachRun<int64_t>(piece, S64, [&](absl::Span<const int64_t> run) {
    return std::all_of(run.begin(), run.end(),
                       [&](int64_t x) { return x == value; });
  });
}

bool AllEqualInteger(const LiteralPiece& piece, int64_t value) {
  if (piece.shape->element_type() == U64 && value < 0) {
    return piece.element_count() == 0;
  }
  return AllEqualBits(piece, value);
}

// Returns `value` rounded to `type`, as a complex number.
complex128 RoundedTo(PrimitiveType type, complex128 value) {
  alignas(16) char element[16];
  PrimitiveType from = primitive_util::IsComplexType(type) ? C128 : F64;
  ConvertElements(from, &value, type, element, 1);
  complex128 rounded;
  ConvertElements(type, element, C128, &rounded, 1);
  return rounded;
}

// Returns a real number as an element of `type`, an integer type or PRED, with
// the bits that int64 has for it; nullopt if `type` does not have it.
std::optional<int64_t> AsElement(PrimitiveType value_type, const void* value,
                                 PrimitiveType type) {
  if (!IsIntegerOrPred(value_type)) {
    double number = 0, same = 0;
    ConvertElements(value_type, value, F64, &number, 1);
    int64_t element = 0;
    ConvertElements(F64, &number, type, &element, 1);
    ConvertElements(type, &element, F64, &same, 1);
    if (number != same) return std::nullopt;
    int64_t bits = 0;
    ConvertElements(type, &element, S64, &bits, 1);
    return bits;
  }
  int64_t number = 0, element = 0, bits = 0;
  ConvertElements(value_type, value, S64, &number, 1);
  ConvertElements(S64, &number, type, &element, 1);
  ConvertElements(type, &element, S64, &bits, 1);
  const bool has_sign = (value_type == U64) == (type == U64) || number >= 0;
  return bits == number && has_sign ? std::optional(bits) : std::nullopt;
}

}  // namespace

bool LiteralBase::IsAll(int8_t value) const {
  if (!shape().IsArray()) return false;
  const PrimitiveType type = shape().element_type();
  if (type == PRED && (value < 0 || value > 1)) return false;
  if (IsIntegerOrPred(type)) return AllEqualInteger(root_piece(), value);
  return AllEqual(root_piece(), complex128(value, 0));
}

bool LiteralBase::IsAll(const Literal& scalar) const {
  if (!shape().IsArray() || scalar.element_count() != 1 ||
      scalar.shape().element_type() != shape().element_type()) {
    return false;
  }
  const PrimitiveType type = shape().element_type();
  if (IsIntegerOrPred(type)) {
    int64_t value = 0;
    ConvertElements(type, scalar.untyped_data(), S64, &value, 1);
    return AllEqualBits(root_piece(), value);
  }
  complex128 value;
  ConvertElements(type, scalar.untyped_data(), C128, &value, 1);
  return AllEqual(root_piece(), value);
}

bool LiteralBase::IsAllFloat(float value) const {
  if (!primitive_util::IsFloatingPointType(shape().element_type())) {
    return false;
  }
  return AllEqual(root_piece(),
                  RoundedTo(shape().element_type(), complex128(value, 0)));
}

bool LiteralBase::IsAllFloatWithCast(float value) const {
  const PrimitiveType type = shape().element_type();
  if (!shape().IsArray() || primitive_util::IsComplexType(type)) return false;
  return AllEqual(root_piece(), RoundedTo(type, complex128(value, 0)));
}

bool LiteralBase::IsAllComplex(complex64 value) const {
  if (!primitive_util::IsComplexType(shape().element_type())) return false;
  return AllEqual(root_piece(), complex128(value.real(), value.imag()));
}

bool LiteralBase::IsAllFirst() const {
  if (!shape().IsArray() || element_count() == 0) return false;
  const LiteralPiece& p = root_piece();
  const PrimitiveType type = p.shape->element_type();
  if (const int unused = UnusedBits(type); unused != 0) {
    const auto bits = [&](char byte) {
      return static_cast<uint8_t>(static_cast<uint8_t>(byte) << unused);
    };
    return std::all_of(p.buffer, p.buffer + p.element_count(), [&](char byte) {
      return bits(byte) == bits(*p.buffer);
    });
  }
  // All elements equal the first exactly when each equals its neighbour.
  const int64_t width = LiteralElementBytes(type);
  return std::memcmp(p.buffer, p.buffer + width, p.size_bytes() - width) == 0;
}

bool LiteralBase::IsR1Iota() const {
  if (!shape().IsArray() || shape().dimensions_size() != 1) return false;
  const PrimitiveType type = shape().element_type();
  if (type == PRED) return false;
  const bool is_exact = IsIntegerOrPred(type);
  double next = 0;
  return ForEachRun<complex128>(
      root_piece(), C128, [&](absl::Span<const complex128> run) {
        return std::all_of(run.begin(), run.end(), [&](complex128 x) {
          const complex128 number(next++, 0);
          return x == number || (!is_exact && x == RoundedTo(type, number));
        });
      });
}

std::optional<int64_t> LiteralBase::IsR1StridedIota() const {
  if (!shape().IsArray() || shape().dimensions_size() != 1 ||
      !primitive_util::IsIntegralType(shape().element_type()) ||
      element_count() <= 1) {
    return std::nullopt;
  }
  std::optional<int64_t> stride = GetIntegralAsS64({1});
  if (*stride == 0) return std::nullopt;
  uint64_t next = 0;  // wraps around like the elements
  bool strided = ForEachRun<int64_t>(
      root_piece(), S64, [&](absl::Span<const int64_t> run) {
        return std::all_of(run.begin(), run.end(), [&](int64_t x) {
          uint64_t expected = next;
          next += static_cast<uint64_t>(*stride);
          return static_cast<uint64_t>(x) == expected;
        });
      });
  return strided ? stride : std::nullopt;
}

bool LiteralBase::IsZero(absl::Span<const int64_t> indices) const {
  return IsEqualAt(indices, complex128(0, 0));
}

int64_t LiteralElements::CountElements(PrimitiveType value_type,
                                       const void* value) const {
  if (!shape().IsArray()) return 0;
  const PrimitiveType type = shape().element_type();
  if (primitive_util::IsComplexType(value_type) &&
      !primitive_util::IsComplexType(type)) {
    return 0;
  }
  int64_t count = 0;
  if (IsIntegerOrPred(type)) {
    const std::optional<int64_t> integer = AsElement(value_type, value, type);
    if (!integer.has_value()) return 0;
    ForEachRun<int64_t>(root_piece(), S64, [&](absl::Span<const int64_t> run) {
      count += absl::c_count(run, *integer);
      return true;
    });
    return count;
  }
  complex128 wide;
  ConvertElements(value_type, value, C128, &wide, 1);
  wide = RoundedTo(type, wide);
  ForEachRun<complex128>(
      root_piece(), C128, [&](absl::Span<const complex128> run) {
        count += absl::c_count_if(
            run, [&](complex128 x) { return IsSame(x, wide); });
        return true;
      });
  return count;
}

}  // namespace xla
