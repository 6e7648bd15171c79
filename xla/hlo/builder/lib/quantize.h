// Small integers packed into 32-bit words, and the numbers that they represent.
// The builder keeps errors.
#ifndef XLA_HLO_BUILDER_LIB_QUANTIZE_H_
#define XLA_HLO_BUILDER_LIB_QUANTIZE_H_

#include <cstdint>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"
#include "xla/base/types.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ops/op_def.h"

namespace xla {

// The numbers that the least and the greatest integer represent.
struct QuantizedRange {
  QuantizedRange() = default;
  QuantizedRange(float min_in, float max_in) : min(min_in), max(max_in) {}

  bool operator==(const QuantizedRange& other) const {
    return min == other.min && max == other.max;
  }
  bool operator!=(const QuantizedRange& other) const {
    return !(*this == other);
  }

  bfloat16 min = bfloat16(0.0f);
  bfloat16 max = bfloat16(0.0f);
};

// Returns words of 4 / sizeof(T) elements each, the first one in the highest
// bits; the last word is filled up with zeros.
template <typename T>
std::vector<uint32_t> PackToUint32(absl::Span<const T> input) {
  static_assert(std::is_integral_v<T> && sizeof(T) <= sizeof(uint32_t));
  constexpr size_t kPerWord = sizeof(uint32_t) / sizeof(T);
  std::vector<uint32_t> words(CeilOfRatio(input.size(), kPerWord), 0);
  for (size_t i = 0; i < input.size(); ++i) {
    const auto bits = static_cast<std::make_unsigned_t<T>>(input[i]);
    const size_t shift = 8 * sizeof(T) * (kPerWord - 1 - i % kPerWord);
    words[i / kPerWord] |= static_cast<uint32_t>(bits) << shift;
  }
  return words;
}

// u32[d0, ..., dn] of words that PackToUint32 made -> bf16[d0, ..., dn * 4 /
// sizeof(T)]: an integer that is i above the least of T represents i * (max -
// min) / (greatest - least) + min, computed in bf16 step by step, as XLA does.
// `transpose_output` reverses the dimensions. Errors: dequantize_c1 where the
// input is not an array of u32 with a dimension, dequantize_c2 for modes other
// than "MIN_COMBINED".
template <typename T>
XlaOp Dequantize(XlaOp input, const QuantizedRange& range,
                 absl::string_view mode_string = "MIN_COMBINED",
                 bool transpose_output = false) {
  static_assert(std::is_integral_v<T> && sizeof(T) <= sizeof(uint16_t));
  XlaBuilder* builder = input.builder();
  return builder->ReportErrorOrReturn([&]() -> absl::StatusOr<XlaOp> {
    TF_ASSIGN_OR_RETURN(const Shape shape, builder->GetShape(input));
    // dequantize_c1: the input is an array of words with a dimension.
    if (!shape.IsArray() || shape.element_type() != U32 || shape.rank() == 0) {
      return RuleError("dequantize_c1",
                       absl::StrCat("the input must be an array of u32, got ",
                                    ShapeUtil::HumanString(shape)));
    }
    // dequantize_c2: the mode is the one that there is.
    if (mode_string != "MIN_COMBINED") {
      return RuleError("dequantize_c2", absl::StrCat("no mode ", mode_string,
                                                     ", only MIN_COMBINED"));
    }
    constexpr int64_t kPerWord = sizeof(uint32_t) / sizeof(T);
    constexpr uint32_t kBits = 8 * sizeof(T);
    const int64_t rank = shape.rank();
    std::vector<int64_t> words(rank),
        unpacked(shape.dimensions().begin(), shape.dimensions().end());
    std::iota(words.begin(), words.end(), 0);
    unpacked.push_back(kPerWord);

    // [d0, ..., dn, kPerWord]: each word, shifted by its element's position.
    XlaOp places = Iota(builder, ShapeUtil::MakeShape(U32, unpacked), rank);
    XlaOp shifts = (ConstantR0<uint32_t>(builder, kPerWord - 1) - places) *
                   ConstantR0<uint32_t>(builder, kBits);
    XlaOp bits =
        And(ShiftRightLogical(BroadcastInDim(input, unpacked, words), shifts),
            ConstantR0<uint32_t>(builder, (uint32_t{1} << kBits) - 1));
    // Count from the least integer.
    if (std::is_signed_v<T>) {
      bits =
          Xor(bits, ConstantR0<uint32_t>(builder, uint32_t{1} << (kBits - 1)));
    }
    const bfloat16 steps(static_cast<float>(std::numeric_limits<T>::max()) -
                         static_cast<float>(std::numeric_limits<T>::min()));
    const bfloat16 scale(
        (static_cast<float>(bfloat16(static_cast<float>(range.max) -
                                     static_cast<float>(range.min)))) /
        static_cast<float>(steps));
    XlaOp numbers =
        ConvertElementType(bits, BF16) * ConstantR0<bfloat16>(builder, scale) +
        ConstantR0<bfloat16>(builder, range.min);
    std::vector<int64_t> sizes(unpacked.begin(), unpacked.end() - 1);
    sizes.back() *= kPerWord;
    numbers = Reshape(numbers, sizes);
    if (!transpose_output) return numbers;
    return Transpose(numbers,
                     std::vector<int64_t>(words.rbegin(), words.rend()));
  });
}

}  // namespace xla

#endif  // XLA_HLO_BUILDER_LIB_QUANTIZE_H_
