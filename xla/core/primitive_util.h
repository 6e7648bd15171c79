// Facts about each PrimitiveType: family, width, range, name. The switches
// and the native types are in primitive_types.h, which this includes.
#ifndef XLA_CORE_PRIMITIVE_UTIL_H_
#define XLA_CORE_PRIMITIVE_UTIL_H_

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/checked_math.h"
#include "xla/base/types.h"
#include "xla/core/primitive_types.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::primitive_util {

constexpr bool IsSignedIntegralType(PrimitiveType type) {
  return type == S1 || type == S2 || type == S4 || type == S8 || type == S16 ||
         type == S32 || type == S64;
}
constexpr bool IsUnsignedIntegralType(PrimitiveType type) {
  return type == U1 || type == U2 || type == U4 || type == U8 || type == U16 ||
         type == U32 || type == U64;
}
// PRED does not count as an integer.
constexpr bool IsIntegralType(PrimitiveType type) {
  return IsSignedIntegralType(type) || IsUnsignedIntegralType(type);
}
constexpr bool Is4BitType(PrimitiveType type) {
  return type == S4 || type == U4 || type == F4E2M1FN;
}
constexpr bool Is8BitIntegralType(PrimitiveType type) {
  return type == S8 || type == U8;
}
// Floating-point numbers of eight bits, F8E8M0FNU, a scale, among them.
constexpr bool IsF8Type(PrimitiveType type) {
  return type == F8E5M2 || type == F8E4M3 || type == F8E4M3FN ||
         type == F8E4M3B11FNUZ || type == F8E5M2FNUZ || type == F8E4M3FNUZ ||
         type == F8E3M4 || type == F8E8M0FNU;
}
// The types that only the microscaling (MX) formats use.
constexpr bool IsMXType(PrimitiveType type) {
  return type == F4E2M1FN || type == F6E2M3FN || type == F6E3M2FN ||
         type == F8E8M0FNU;
}
// Elements of arrays: not tuples, tokens, opaque values or buffers.
constexpr bool IsArrayType(PrimitiveType type) {
  return type == PRED || IsIntegralType(type) || IsFloatingPointType(type) ||
         IsComplexType(type);
}

namespace internal {
// Returns 0 for types that are not array types.
constexpr int BitWidthOrZero(PrimitiveType type) {
  switch (type) {
    case PRED:
    case S1:
    case U1:
      return 1;
    case S2:
    case U2:
      return 2;
    case S4:
    case U4:
    case F4E2M1FN:
      return 4;
    case F6E2M3FN:
    case F6E3M2FN:
      return 6;
    case S8:
    case U8:
    case F8E3M4:
    case F8E4M3:
    case F8E4M3B11FNUZ:
    case F8E4M3FN:
    case F8E4M3FNUZ:
    case F8E5M2:
    case F8E5M2FNUZ:
    case F8E8M0FNU:
      return 8;
    case S16:
    case U16:
    case F16:
    case BF16:
      return 16;
    case S32:
    case U32:
    case F32:
      return 32;
    case S64:
    case U64:
    case F64:
    case C64:
      return 64;
    case C128:
      return 128;
    default:
      return 0;
  }
}
}  // namespace internal

// Returns the bits of information in one element; 1 for PRED. `type` is an
// array type.
constexpr int BitWidth(PrimitiveType type) {
  const int width = internal::BitWidthOrZero(type);
  if (width == 0) TypeSwitchFailure("an array type", type);
  return width;
}
// Returns the bytes of one element in unpacked host memory; 0 for TOKEN.
constexpr int ByteWidth(PrimitiveType type) {
  return type == TOKEN ? 0 : CeilOfRatio(BitWidth(type), 8);
}
// Returns the bits of one element in packed memory: as BitWidth, but 8 for
// PRED.
constexpr int StorageBitWidth(PrimitiveType type) {
  return type == PRED ? 8 : BitWidth(type);
}
constexpr bool IsSubByteNonPredType(PrimitiveType type) {
  return type != PRED && IsArrayType(type) && BitWidth(type) < 8;
}

// Return the bits of a floating-point type's significand, including the implied
// one, and of its exponent field.
int SignificandWidth(PrimitiveType type);
int ExponentWidth(PrimitiveType type);
int ExponentBias(PrimitiveType type);
// Return the exponent e such that 2^(e - 1) is the smallest normal number, and
// the e such that 2^e is the first power of two that overflows.
int UnderflowExponent(PrimitiveType type);
int OverflowExponent(PrimitiveType type);
// Return false for types that are not floating point.
bool HasInfinity(PrimitiveType type);
bool HasNaN(PrimitiveType type);
bool HasNegativeZero(PrimitiveType type);

// Returns PRIMITIVE_TYPE_INVALID when there is no integer of that width.
constexpr PrimitiveType UnsignedIntegralTypeForBitWidth(int64_t width) {
  switch (width) {
    case 1:
      return U1;
    case 2:
      return U2;
    case 4:
      return U4;
    case 8:
      return U8;
    case 16:
      return U16;
    case 32:
      return U32;
    case 64:
      return U64;
    default:
      return PRIMITIVE_TYPE_INVALID;
  }
}
PrimitiveType SignedIntegralTypeForBitWidth(int64_t width);

// Maps F32 to C64 and F64 to C128, others to PRIMITIVE_TYPE_INVALID.
constexpr PrimitiveType ComplexType(PrimitiveType base_type) {
  if (base_type == F32) return C64;
  return base_type == F64 ? C128 : PRIMITIVE_TYPE_INVALID;
}
// Maps C64 to F32 and C128 to F64. `complex_type` must be complex.
PrimitiveType ComplexComponentType(PrimitiveType complex_type);

// Returns the one of two array types that an operation on both would promote
// to: complex before real, float before integer, then range, precision, width,
// signed before unsigned. The order of `a` and `b` does not matter.
PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b);

// Returns true if converting between the array types preserves every value.
bool CastPreservesValues(PrimitiveType from_type, PrimitiveType to_type);

// "f32", "pred", "opaque". The reverse also accepts "opaque_type".
// Errors: InvalidArgument for any other name.
const std::string& LowercasePrimitiveTypeName(PrimitiveType type);
absl::StatusOr<PrimitiveType> StringToPrimitiveType(absl::string_view name);
bool IsPrimitiveTypeName(absl::string_view name);

// Returns true if T can hold every value of `type`: floats and complex numbers
// need that very type, integers at least the width and the same signedness;
// PRED counts as unsigned.
template <typename T>
constexpr bool CanRepresent(PrimitiveType type) {
  if (IsFloatingPointType(type) || IsComplexType(type)) {
    return NativeToPrimitiveType<T>() == type;
  }
  if (!IsArrayType(type) || !is_specialized_integral_v<T>) return false;
  const bool is_signed = IsSignedIntegralType(type);
  return std::numeric_limits<T>::is_signed == is_signed &&
         BitWidth(type) <= std::numeric_limits<T>::digits + (is_signed ? 1 : 0);
}
// The older name of it.
template <typename T>
constexpr bool IsCanonicalRepresentation(PrimitiveType type) {
  return CanRepresent<T>(type);
}

// Returns true if `type` is an integer type that has the value `x`.
inline bool FitsInIntegralType(int64_t x, PrimitiveType type) {
  if (IsUnsignedIntegralType(type)) {
    return x >= 0 && (BitWidth(type) == 64 || x >> BitWidth(type) == 0);
  }
  if (!IsSignedIntegralType(type)) return false;
  const int64_t high = x >> (BitWidth(type) - 1);
  return high == 0 || high == -1;
}

}  // namespace xla::primitive_util

#endif  // XLA_CORE_PRIMITIVE_UTIL_H_
