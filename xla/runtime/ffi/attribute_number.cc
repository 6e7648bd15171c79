// Reads and prints single numbers.
#include "xla/runtime/ffi/attribute_number.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"

namespace xla::ffi {
namespace {

struct TypeName {
  absl::string_view name;
  PrimitiveType type;
};
// When names share a type, the first one is printed.
constexpr TypeName kTypeNames[] = {
    {"i1", PRED},  {"i8", S8},    {"i16", S16},  {"i32", S32},
    {"i64", S64},  {"ui8", U8},   {"ui16", U16}, {"ui32", U32},
    {"ui64", U64}, {"f32", F32},  {"f64", F64},  {"si8", S8},
    {"si16", S16}, {"si32", S32}, {"si64", S64}, {"index", S64}};

template <typename T>
ScalarAttribute ToScalar(T value, PrimitiveType type) {
  ScalarAttribute scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), &value, sizeof(T));
  return scalar;
}

template <typename T>
T FromBytes(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

absl::Status BadNumber(absl::string_view token, PrimitiveType type) {
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", token, "\" is not a value of type ", AttributeTypeName(type)));
}

// Reads an integer of at most 64 bits, with its sign.
bool ParseInteger(absl::string_view token, bool& negative,
                  uint64_t& magnitude) {
  negative = absl::ConsumePrefix(&token, "-");
  if (token.empty() || token[0] == '-' || token[0] == '+') return false;
  if (absl::StartsWith(token, "0x") || absl::StartsWith(token, "0X")) {
    return absl::SimpleHexAtoi(token, &magnitude);
  }
  return absl::SimpleAtoi(token, &magnitude);
}

absl::StatusOr<ScalarAttribute> ParseIntegerOf(absl::string_view token,
                                               PrimitiveType type) {
  bool negative = false;
  uint64_t magnitude = 0;
  if (!ParseInteger(token, negative, magnitude)) return BadNumber(token, type);
  const int bits = 8 * primitive_util::ByteWidth(type);
  const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  const bool is_signed = primitive_util::IsSignedIntegralType(type);
  // i32 also accepts an unsigned number of 32 bits.
  const uint64_t most = negative ? (is_signed ? (all >> 1) + 1 : 0) : all;
  if (magnitude > most) return BadNumber(token, type);
  const uint64_t value = negative ? ~magnitude + 1 : magnitude;
  ScalarAttribute scalar;
  scalar.type = type;  // little-endian: the low bytes come first
  std::memcpy(scalar.bytes.data(), &value, bits / 8);
  return scalar;
}

absl::StatusOr<ScalarAttribute> ParseFloatOf(absl::string_view token,
                                             PrimitiveType type) {
  const bool single = type == F32;
  if (absl::StartsWith(token, "0x")) {
    uint64_t bits = 0;
    if (!absl::SimpleHexAtoi(token, &bits) || (single && bits >> 32 != 0)) {
      return BadNumber(token, type);
    }
    if (single) return ToScalar(static_cast<uint32_t>(bits), type);
    return ToScalar(bits, type);
  }
  if (single) {
    float value = 0;
    if (!absl::SimpleAtof(token, &value)) return BadNumber(token, type);
    return ToScalar(value, type);
  }
  double value = 0;
  if (!absl::SimpleAtod(token, &value)) return BadNumber(token, type);
  return ToScalar(value, type);
}

}  // namespace

PrimitiveType AttributeType(absl::string_view name) {
  for (const TypeName& known : kTypeNames) {
    if (known.name == name) return known.type;
  }
  return PRIMITIVE_TYPE_INVALID;
}

absl::string_view AttributeTypeName(PrimitiveType type) {
  for (const TypeName& known : kTypeNames) {
    if (known.type == type) return known.name;
  }
  return "?";
}

absl::StatusOr<ScalarAttribute> ParseNumber(absl::string_view token,
                                            PrimitiveType type) {
  if (type == PRED) {
    if (token == "true" || token == "1" || token == "-1") {
      return ToScalar(true, PRED);
    }
    if (token == "false" || token == "0") return ToScalar(false, PRED);
    return BadNumber(token, type);
  }
  if (type == F32 || type == F64) return ParseFloatOf(token, type);
  return ParseIntegerOf(token, type);
}

std::string NumberToString(const char* bytes, PrimitiveType type) {
  switch (type) {
    case PRED:
      return *bytes != 0 ? "true" : "false";
    case S8:
      return absl::StrCat(int{FromBytes<int8_t>(bytes)});
    case S16:
      return absl::StrCat(FromBytes<int16_t>(bytes));
    case S32:
      return absl::StrCat(FromBytes<int32_t>(bytes));
    case S64:
      return absl::StrCat(FromBytes<int64_t>(bytes));
    case U8:
      return absl::StrCat(int{FromBytes<uint8_t>(bytes)});
    case U16:
      return absl::StrCat(FromBytes<uint16_t>(bytes));
    case U32:
      return absl::StrCat(FromBytes<uint32_t>(bytes));
    case U64:
      return absl::StrCat(FromBytes<uint64_t>(bytes));
    case F32:
      if (float value = FromBytes<float>(bytes); std::isfinite(value)) {
        return absl::StrFormat("%.8e", value);
      }
      return absl::StrFormat("0x%08X", FromBytes<uint32_t>(bytes));
    case F64:
      if (double value = FromBytes<double>(bytes); std::isfinite(value)) {
        return absl::StrFormat("%.16e", value);
      }
      return absl::StrFormat("0x%016X", FromBytes<uint64_t>(bytes));
    default:
      return "?";
  }
}

}  // namespace xla::ffi
