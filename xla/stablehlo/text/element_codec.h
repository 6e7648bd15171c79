// Encodes numbers of a text as the bytes of literals: little-endian, types
// below 8 bits one per byte, complex as (real, imaginary).
#ifndef XLA_STABLEHLO_TEXT_ELEMENT_CODEC_H_
#define XLA_STABLEHLO_TEXT_ELEMENT_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "xla/proto/xla_data.pb.h"

namespace xla::stablehlo {

// Returns the bytes of one element; 0 for types without elements.
size_t ElementBytes(PrimitiveType type);

// Appends `value`, rounded once to the float type.
void AppendFloat(PrimitiveType type, double value, std::string* out);

// Appends the low bytes of `bits`, as many as an element has.
void AppendBits(PrimitiveType type, uint64_t bits, std::string* out);

// Return `value` rounded to the float type, and the value of a bit pattern.
double RoundToType(PrimitiveType type, double value);
double FloatOfBits(PrimitiveType type, uint64_t bits);

// Returns whether an integer with that sign and magnitude fits the type: like
// MLIR, allows -128 to 255 for i8, 0 to 255 for ui8.
bool FitsIntegerType(PrimitiveType type, bool negative, uint64_t magnitude);

// Returns the value of a hexadecimal digit of either case; -1 for others.
int HexDigit(char c);

// Parses "12" or "0x1F" without a sign; returns false if it is neither or does
// not fit.
bool ParseMagnitude(absl::string_view text, uint64_t* magnitude);

// Returns the value of an element's `bits`, sign-extended if its type is
// signed.
int64_t SignExtend(PrimitiveType type, uint64_t bits);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TEXT_ELEMENT_CODEC_H_
