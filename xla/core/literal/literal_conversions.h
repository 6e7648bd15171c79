// LiteralConversions: the functions of LiteralUtil that make literals, and
// numbers, of other literals.
#ifndef XLA_CORE_LITERAL_LITERAL_CONVERSIONS_H_
#define XLA_CORE_LITERAL_LITERAL_CONVERSIONS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "xla/core/literal/literal.h"

namespace xla {

class LiteralConversions {
 public:
  // Converts every array of the first type and copies the rest.
  static Literal ConvertBF16ToF32(const LiteralSlice& literal);
  static Literal ConvertBF16ToF64(const LiteralSlice& literal);
  static Literal ConvertF32ToBF16(const LiteralSlice& literal);
  static Literal ConvertF32ToF64(const LiteralSlice& literal);
  static Literal ConvertF64ToBF16(const LiteralSlice& literal);
  static Literal ConvertF64ToF32(const LiteralSlice& literal);
  static Literal ConvertS32ToF32(const LiteralSlice& literal);
  static Literal ConvertF32ToS8(const LiteralSlice& literal);
  static Literal ConvertS8ToF32(const LiteralSlice& literal);
  static Literal ConvertS32ToS1(const LiteralSlice& literal);
  static Literal ConvertF32ToF8E4M3FN(const LiteralSlice& literal);
  static Literal ConvertF32ToF8E4M3FNUZ(const LiteralSlice& literal);
  static Literal ConvertF32ToF8E5M2(const LiteralSlice& literal);
  static Literal ConvertF32ToF8E5M2FNUZ(const LiteralSlice& literal);
  static Literal ConvertF8E4M3FNToF32(const LiteralSlice& literal);
  static Literal ConvertF8E5M2ToF32(const LiteralSlice& literal);

  // Takes the elements as they lie in memory for those of an array of the new
  // dimensions in the order `minor_to_major`; the result is row-major.
  static Literal ReshapeSlice(absl::Span<const int64_t> new_dimensions,
                              absl::Span<const int64_t> minor_to_major,
                              const LiteralSlice& literal);

  static Literal GetFirstScalarLiteral(const LiteralSlice& literal);
  static Literal GetScalarLiteral(const LiteralBase& literal,
                                  absl::Span<const int64_t> multi_index);
  static void SetScalarLiteral(MutableLiteralBase& literal,
                               absl::Span<const int64_t> multi_index,
                               const LiteralBase& scalar);
  // Returns the largest element of a non-empty array of real numbers; nan if it
  // contains one.
  static Literal MaxElement(const LiteralSlice& literal);

  // Returns the value of an array of one element; nullopt for other literals
  // and for other types.
  static std::optional<int64_t> LiteralAsScalarInt64(const Literal& literal);
  static std::optional<double> LiteralAsScalarDouble(const Literal& literal);
};

}  // namespace xla

#endif  // XLA_CORE_LITERAL_LITERAL_CONVERSIONS_H_
