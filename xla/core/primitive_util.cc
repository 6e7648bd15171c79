// Facts about primitive types that are not constexpr.
#include "xla/core/primitive_util.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"

namespace xla::primitive_util {
namespace {

struct FloatFacts {
  int digits;
  int min_exponent;
  int max_exponent;
  bool infinity;
  bool nan;
};

FloatFacts FactsOf(PrimitiveType type) {
  return FloatingPointTypeSwitch<FloatFacts>(
      [](auto constant) {
        using Limits = std::numeric_limits<NativeTypeOf<constant>>;
        return FloatFacts{Limits::digits, Limits::min_exponent,
                          Limits::max_exponent, Limits::has_infinity,
                          Limits::has_quiet_NaN};
      },
      type);
}

// Returns the number of bits without the sign.
int MagnitudeBits(PrimitiveType type) {
  return BitWidth(type) - (IsSignedIntegralType(type) ? 1 : 0);
}

bool FloatCastPreservesValues(PrimitiveType from, PrimitiveType to) {
  const FloatFacts a = FactsOf(from);
  const FloatFacts b = FactsOf(to);
  // The subnormal numbers of `to` may hold the normal ones of `from`.
  return a.digits <= b.digits &&
         a.min_exponent - a.digits >= b.min_exponent - b.digits &&
         a.max_exponent <= b.max_exponent && a.infinity <= b.infinity &&
         a.nan <= b.nan && HasNegativeZero(from) <= HasNegativeZero(to);
}

}  // namespace

void TypeSwitchFailure(const char* expected, PrimitiveType type) {
  LOG(FATAL) << "Expected " << expected << ", got "
             << LowercasePrimitiveTypeName(type);
}

int SignificandWidth(PrimitiveType type) { return FactsOf(type).digits; }

int ExponentWidth(PrimitiveType type) {
  const int sign_bits = type == F8E8M0FNU ? 0 : 1;
  return BitWidth(type) - (SignificandWidth(type) - 1) - sign_bits;
}

int ExponentBias(PrimitiveType type) {
  // Exponent codes of normal numbers start at 1, those of F8E8M0FNU at 0.
  const int first_normal = type == F8E8M0FNU ? 0 : 1;
  return first_normal - (UnderflowExponent(type) - 1);
}

int UnderflowExponent(PrimitiveType type) { return FactsOf(type).min_exponent; }

int OverflowExponent(PrimitiveType type) { return FactsOf(type).max_exponent; }

bool HasInfinity(PrimitiveType type) {
  return IsFloatingPointType(type) && FactsOf(type).infinity;
}

bool HasNaN(PrimitiveType type) {
  return IsFloatingPointType(type) && FactsOf(type).nan;
}

bool HasNegativeZero(PrimitiveType type) {
  return IsFloatingPointType(type) && type != F8E4M3B11FNUZ &&
         type != F8E4M3FNUZ && type != F8E5M2FNUZ && type != F8E8M0FNU;
}

PrimitiveType SignedIntegralTypeForBitWidth(int64_t width) {
  switch (width) {
    case 1:
      return S1;
    case 2:
      return S2;
    case 4:
      return S4;
    case 8:
      return S8;
    case 16:
      return S16;
    case 32:
      return S32;
    case 64:
      return S64;
    default:
      return PRIMITIVE_TYPE_INVALID;
  }
}

PrimitiveType ComplexComponentType(PrimitiveType complex_type) {
  switch (complex_type) {
    case C64:
      return F32;
    case C128:
      return F64;
    default:
      TypeSwitchFailure("a complex type", complex_type);
  }
}

PrimitiveType HigherPrecisionType(PrimitiveType a, PrimitiveType b) {
  if (a == b) return a;
  auto rank = [](PrimitiveType type) {
    const PrimitiveType part =
        IsComplexType(type) ? ComplexComponentType(type) : type;
    const bool is_float = IsFloatingPointType(part);
    // The last three only break ties between equivalent types, so that (a, b)
    // and (b, a) give the same answer.
    return std::make_tuple(
        IsComplexType(type), is_float ? OverflowExponent(part) : -1,
        is_float ? SignificandWidth(part) : -1, BitWidth(part),
        IsSignedIntegralType(part), is_float ? -UnderflowExponent(part) : 0,
        HasInfinity(part), static_cast<int>(type));
  };
  return rank(a) > rank(b) ? a : b;
}

bool CastPreservesValues(PrimitiveType from_type, PrimitiveType to_type) {
  if (from_type == to_type) return true;
  if (to_type == PRED) return false;
  // F8E8M0FNU, powers of two, has no zero; every other type has one.
  if (to_type == F8E8M0FNU) return false;
  if (from_type == PRED) return true;
  if (IsComplexType(to_type)) {
    return CastPreservesValues(
        IsComplexType(from_type) ? ComplexComponentType(from_type) : from_type,
        ComplexComponentType(to_type));
  }
  if (IsComplexType(from_type)) return false;
  if (IsFloatingPointType(from_type)) {
    return IsFloatingPointType(to_type) &&
           FloatCastPreservesValues(from_type, to_type);
  }
  if (IsFloatingPointType(to_type)) {
    // The lowest signed number, -2^(n-1), needs only one bit of significand.
    return MagnitudeBits(from_type) <= SignificandWidth(to_type) &&
           BitWidth(from_type) - 1 < OverflowExponent(to_type);
  }
  if (IsSignedIntegralType(from_type) && !IsSignedIntegralType(to_type)) {
    return false;
  }
  return MagnitudeBits(from_type) <= MagnitudeBits(to_type);
}

const std::string& LowercasePrimitiveTypeName(PrimitiveType type) {
  static const auto* names = [] {
    auto* array = new std::array<std::string, PrimitiveType_ARRAYSIZE + 1>;
    for (int i = 0; i < PrimitiveType_ARRAYSIZE; ++i) {
      if (!PrimitiveType_IsValid(i)) continue;
      (*array)[i] = absl::AsciiStrToLower(
          PrimitiveType_Name(static_cast<PrimitiveType>(i)));
    }
    (*array)[OPAQUE_TYPE] = "opaque";
    (*array)[PrimitiveType_ARRAYSIZE] = "unknown_type";
    return array;
  }();
  // Protos may contain numbers that are no enumerator.
  if (!PrimitiveType_IsValid(type)) return names->back();
  return (*names)[type];
}

namespace {

const absl::flat_hash_map<std::string, PrimitiveType>& TypesByName() {
  static const auto* map = [] {
    auto* types = new absl::flat_hash_map<std::string, PrimitiveType>;
    for (int i = 0; i < PrimitiveType_ARRAYSIZE; ++i) {
      if (!PrimitiveType_IsValid(i) || i == PRIMITIVE_TYPE_INVALID) continue;
      const auto type = static_cast<PrimitiveType>(i);
      types->emplace(LowercasePrimitiveTypeName(type), type);
    }
    types->emplace("opaque_type", OPAQUE_TYPE);
    return types;
  }();
  return *map;
}

}  // namespace

absl::StatusOr<PrimitiveType> StringToPrimitiveType(absl::string_view name) {
  const auto found = TypesByName().find(name);
  if (found != TypesByName().end()) return found->second;
  // The most bytes of the name, which keeps the error message short.
  constexpr size_t kShown = 64;
  return InvalidArgument("Invalid element type string: \"%s\".",
                         name.substr(0, kShown));
}

bool IsPrimitiveTypeName(absl::string_view name) {
  return TypesByName().contains(name);
}

}  // namespace xla::primitive_util
