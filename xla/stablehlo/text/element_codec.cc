// Encodes numbers, with one generic function for all float types.
#include "xla/stablehlo/text/element_codec.h"

#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "xla/base/checked_math.h"
#include "xla/base/convert_value.h"
#include "xla/core/primitive_util.h"

namespace xla::stablehlo {
namespace {

using primitive_util::BitWidth;
using primitive_util::FloatingPointTypeSwitch;
using primitive_util::IsSignedIntegralType;
using primitive_util::PrimitiveTypeToNative;

template <typename F>
auto WithFloat(PrimitiveType type, F&& f) {
  return FloatingPointTypeSwitch<decltype(f(float{}))>(
      [&](auto constant) {
        return f(typename PrimitiveTypeToNative<constant()>::type{});
      },
      type);
}

}  // namespace

size_t ElementBytes(PrimitiveType type) {
  const int bits = primitive_util::internal::BitWidthOrZero(type);
  return static_cast<size_t>(CeilOfRatio(bits, 8));
}

void AppendFloat(PrimitiveType type, double value, std::string* out) {
  WithFloat(type, [&](auto zero) {
    const auto native = ConvertValue<decltype(zero)>(value);
    out->append(reinterpret_cast<const char*>(&native), sizeof native);
  });
}

void AppendBits(PrimitiveType type, uint64_t bits, std::string* out) {
  out->append(reinterpret_cast<const char*>(&bits), ElementBytes(type));
}

double RoundToType(PrimitiveType type, double value) {
  return WithFloat(type, [&](auto zero) {
    return ConvertValue<double>(ConvertValue<decltype(zero)>(value));
  });
}

double FloatOfBits(PrimitiveType type, uint64_t bits) {
  return WithFloat(type, [&](auto zero) {
    std::memcpy(static_cast<void*>(&zero), &bits, sizeof zero);
    return ConvertValue<double>(zero);
  });
}

bool FitsIntegerType(PrimitiveType type, bool negative, uint64_t magnitude) {
  const int bits = BitWidth(type);
  if (!negative) return bits == 64 || magnitude >> bits == 0;
  if (primitive_util::IsUnsignedIntegralType(type)) return magnitude == 0;
  return magnitude <= uint64_t{1} << (bits - 1);
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ParseMagnitude(absl::string_view text, uint64_t* magnitude) {
  if (!absl::StartsWith(text, "0x")) return absl::SimpleAtoi(text, magnitude);
  text.remove_prefix(2);
  *magnitude = 0;
  if (text.empty()) return false;
  for (char c : text) {
    const int digit = HexDigit(c);
    if (digit < 0 || *magnitude >> 60 != 0) return false;
    *magnitude = *magnitude << 4 | static_cast<uint64_t>(digit);
  }
  return true;
}

int64_t SignExtend(PrimitiveType type, uint64_t bits) {
  const int unused = 64 - BitWidth(type);
  if (IsSignedIntegralType(type)) {
    return static_cast<int64_t>(bits << unused) >> unused;
  }
  return static_cast<int64_t>(bits << unused >> unused);
}

}  // namespace xla::stablehlo
