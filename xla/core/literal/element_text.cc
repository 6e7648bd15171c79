// Conversion of numbers to decimal digits and back. Like XLA, prints
// max_digits10 digits of each type, or digits10 where that is enough for F32
// and F64.
#include "xla/core/literal/element_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

#include "absl/strings/charconv.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "xla/base/checked_math.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/primitive_util.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace {

struct FloatText {
  int mantissa_bits;
  int short_digits;  // tried first; 0: not tried
  int digits;
  bool has_payload;  // nan prints its payload bits
  bool has_sign;
};

FloatText FloatTextOf(PrimitiveType type) {
  switch (type) {
    case F64:
      return {52, 15, 17, true, true};
    case F32:
      return {23, 6, 9, true, true};
    case BF16:
      return {7, 0, 4, true, true};
    case F16:
      return {10, 0, 5, true, true};
    case F8E5M2:
      return {2, 0, 2, true, true};
    case F8E4M3:
      return {3, 0, 3, true, true};
    case F8E3M4:
      return {4, 0, 3, true, true};
    case F8E4M3FN:
    case F8E4M3FNUZ:
    case F8E4M3B11FNUZ:
    case F6E2M3FN:
      return {3, 0, 3, false, true};
    case F8E5M2FNUZ:
    case F6E3M2FN:
      return {2, 0, 2, false, true};
    case F8E8M0FNU:
      return {0, 0, 2, false, false};
    default:  // F4E2M1FN
      return {1, 0, 2, false, true};
  }
}

uint64_t ElementRep(PrimitiveType type, const void* element) {
  uint64_t rep = 0;
  std::memcpy(&rep, element, CeilOfRatio(ElementBits(type), 8));
  return rep;
}

void AppendNan(PrimitiveType type, const void* element, std::string* out) {
  const FloatText text = FloatTextOf(type);
  const uint64_t rep = ElementRep(type, element);
  const int sign_bit = ElementBits(type) - 1;
  absl::StrAppend(out, text.has_sign && (rep >> sign_bit & 1) ? "-nan" : "nan");
  if (!text.has_payload) return;
  const uint64_t payload = rep & ((uint64_t{1} << text.mantissa_bits) - 1);
  if (payload == uint64_t{1} << (text.mantissa_bits - 1)) return;
  absl::StrAppend(out, "(0x", absl::Hex(payload), ")");
}

// printf's "%.*g".
void AppendDigits(double value, int digits, std::string* out) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value,
                           std::chars_format::general, digits);
  out->append(buffer, end.ptr);
}

void AppendFloat(PrimitiveType type, const void* element, std::string* out) {
  double value = 0;
  ConvertElements(type, element, F64, &value, 1);
  if (std::isnan(value)) return AppendNan(type, element, out);
  const FloatText text = FloatTextOf(type);
  if (text.short_digits == 0 || std::isinf(value)) {
    return AppendDigits(value, text.digits, out);
  }
  // Small whole numbers, the usual constants, are exact in few digits.
  if (std::abs(value) < 1e5 && value == static_cast<int32_t>(value) &&
      (value != 0 || !std::signbit(value))) {
    absl::StrAppend(out, static_cast<int32_t>(value));
    return;
  }
  const size_t start = out->size();
  AppendDigits(value, text.short_digits, out);
  double parsed = 0;
  if (type == F32) {
    float single = 0;
    absl::from_chars(out->data() + start, out->data() + out->size(), single);
    parsed = single;
  } else {
    absl::from_chars(out->data() + start, out->data() + out->size(), parsed);
  }
  if (parsed == value) return;
  out->resize(start);
  AppendDigits(value, text.digits, out);
}

std::string NotIn(absl::string_view token, PrimitiveType type) {
  return absl::StrCat("value ", token, " is out of range for ",
                      primitive_util::LowercasePrimitiveTypeName(type));
}

std::string ParseNan(absl::string_view token, bool negative, PrimitiveType type,
                     void* element) {
  double nan = negative ? -std::numeric_limits<double>::quiet_NaN()
                        : std::numeric_limits<double>::quiet_NaN();
  ConvertElements(F64, &nan, type, element, 1);
  if (token.empty()) return "";
  uint64_t payload = 0;
  const bool enclosed = absl::ConsumePrefix(&token, "(0x") &&
                        absl::ConsumeSuffix(&token, ")") && !token.empty();
  const auto end =
      std::from_chars(token.data(), token.data() + token.size(), payload, 16);
  if (!enclosed || end.ec != std::errc() ||
      end.ptr != token.data() + token.size()) {
    return "a nan's payload should look like nan(0x1)";
  }
  const FloatText text = FloatTextOf(type);
  const uint64_t mask = (uint64_t{1} << text.mantissa_bits) - 1;
  if (!text.has_payload || payload == 0 || payload > mask) {
    return absl::StrCat(primitive_util::LowercasePrimitiveTypeName(type),
                        " has no nan of payload 0x", absl::Hex(payload));
  }
  const uint64_t rep = (ElementRep(type, element) & ~mask) | payload;
  std::memcpy(element, &rep, ElementBits(type) / 8);
  return "";
}

std::string ParseFloat(absl::string_view token, PrimitiveType type,
                       void* element) {
  absl::string_view magnitude = token;
  const bool negative = absl::ConsumePrefix(&magnitude, "-");
  if (absl::ConsumePrefix(&magnitude, "nan")) {
    return ParseNan(magnitude, negative, type, element);
  }
  double value = std::numeric_limits<double>::infinity();
  const bool infinite = magnitude == "inf";
  if (!infinite) {
    if (magnitude.empty() || magnitude[0] < '.' || magnitude[0] > '9') {
      return absl::StrCat("expects a number, got ", token);
    }
    auto format = absl::chars_format::general;
    if (absl::ConsumePrefix(&magnitude, "0x")) format = absl::chars_format::hex;
    const char* end = magnitude.data() + magnitude.size();
    auto result = absl::from_chars(magnitude.data(), end, value, format);
    if (result.ptr != end || result.ec == std::errc::invalid_argument) {
      return absl::StrCat("expects a number, got ", token);
    }
    // An underflow is 0; an overflow is not accepted as infinity.
    if (result.ec != std::errc() && value > 1) return NotIn(token, F64);
  }
  if (negative) value = -value;
  ConvertElements(F64, &value, type, element, 1);
  if (infinite || type == F64) return "";
  double stored = 0;
  ConvertElements(type, element, F64, &stored, 1);
  return std::isfinite(stored) ? "" : NotIn(token, type);
}

std::string ParseInteger(absl::string_view token, PrimitiveType type,
                         void* element) {
  absl::string_view digits = token;
  const bool negative = absl::ConsumePrefix(&digits, "-");
  const int base = absl::ConsumePrefix(&digits, "0x") ? 16 : 10;
  uint64_t magnitude = 0;
  const char* last = digits.data() + digits.size();
  auto end = std::from_chars(digits.data(), last, magnitude, base);
  if (digits.empty() || end.ptr != last) {
    return absl::StrCat("expects an integer, got ", token);
  }
  constexpr uint64_t kSignBit = uint64_t{1} << 63;
  if (end.ec != std::errc() || (negative && magnitude > kSignBit)) {
    return NotIn(token, type);
  }
  const int64_t value =
      static_cast<int64_t>(negative ? uint64_t{0} - magnitude : magnitude);
  ConvertElements(S64, &value, type, element, 1);
  // XLA accepts negative numbers for u64, and any number for pred.
  if (type == U64 || type == PRED) return "";
  int64_t stored = 0;
  ConvertElements(type, element, S64, &stored, 1);
  const bool fits = stored == value && (negative || magnitude < kSignBit);
  return fits ? "" : NotIn(token, type);
}

}  // namespace

void AppendElement(PrimitiveType type, const void* element, std::string* out) {
  if (type == PRED) {
    out->append(*static_cast<const bool*>(element) ? "true" : "false");
  } else if (primitive_util::IsComplexType(type)) {
    const PrimitiveType part = type == C64 ? F32 : F64;
    out->push_back('(');
    AppendFloat(part, element, out);
    out->append(", ");
    AppendFloat(part, static_cast<const char*>(element) + ElementBits(part) / 8,
                out);
    out->push_back(')');
  } else if (primitive_util::IsFloatingPointType(type)) {
    AppendFloat(type, element, out);
  } else if (type == U64) {
    absl::StrAppend(out, *static_cast<const uint64_t*>(element));
  } else {
    int64_t value = 0;
    ConvertElements(type, element, S64, &value, 1);
    absl::StrAppend(out, value);
  }
}

std::string ParseElement(absl::string_view token, PrimitiveType type,
                         void* element) {
  if (type == PRED && (token == "true" || token == "false")) {
    *static_cast<bool*>(element) = token == "true";
    return "";
  }
  if (primitive_util::IsFloatingPointType(type)) {
    return ParseFloat(token, type, element);
  }
  return ParseInteger(token, type, element);
}

}  // namespace xla
