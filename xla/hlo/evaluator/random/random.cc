// Distributes random bits over elements as XLA does, and makes numbers of them.
#include "xla/hlo/evaluator/random/random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/element_convert.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/evaluator/interpreter/array_result.h"
#include "xla/hlo/evaluator/interpreter/device_context.h"
#include "xla/hlo/evaluator/random/bit_generator.h"
#include "xla/hlo/ops/random.h"

namespace xla {
namespace {

uint64_t Join(uint32_t low, uint32_t high) {
  return low | uint64_t{high} << 32;
}

// Makes a random word per element of an array; its low bits are the element.
absl::StatusOr<Literal> MakeWords(const Shape& array) {
  TF_ASSIGN_OR_RETURN(Shape shape,
                      ShapeUtil::MakeValidatedShape(U64, array.dimensions()));
  return MakeArrayResult(shape);
}

// Philox generates four 32-bit or two 64-bit elements per count.
uint64_t PhiloxWords(absl::uint128 counter, uint64_t key, bool is_64_bit,
                     absl::Span<uint64_t> words) {
  const size_t per_block = is_64_bit ? 2 : 4;
  uint64_t blocks = 0;
  for (size_t i = 0; i < words.size(); i += per_block, ++blocks) {
    const auto bits = Philox4x32(counter + blocks, key);
    for (size_t j = 0; j < std::min(per_block, words.size() - i); ++j) {
      words[i + j] = is_64_bit ? Join(bits[2 * j], bits[2 * j + 1]) : bits[j];
    }
  }
  return blocks;
}

// Returns the dimension along which Threefry's 32-bit elements are paired, a
// pair per count: the first even one, else the first of the largest.
int SplitDimension(absl::Span<const int64_t> dimensions) {
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] % 2 == 0) return static_cast<int>(i);
  }
  return static_cast<int>(
      std::max_element(dimensions.begin(), dimensions.end()) -
      dimensions.begin());
}

uint64_t ThreeFryWords32(uint64_t counter, uint64_t key,
                         absl::Span<const int64_t> dimensions,
                         absl::Span<uint64_t> words) {
  if (dimensions.empty()) {
    words[0] = ThreeFry2x32(counter, key)[0];
    return 1;
  }
  const int split = SplitDimension(dimensions);
  const int64_t size = dimensions[split];
  const int64_t half = (size + 1) / 2;
  int64_t minor = 1;
  for (size_t i = split + 1; i < dimensions.size(); ++i) minor *= dimensions[i];
  if (words.empty()) {
    // The array is empty: the count ignores only a dimension of size 0.
    return 0;
  }
  const int64_t major = words.size() / (size * minor);
  for (int64_t i = 0; i < major; ++i) {
    for (int64_t j = 0; j < size; ++j) {
      for (int64_t k = 0; k < minor; ++k) {
        const int64_t count = (i * half + j / 2) * minor + k;
        words[(i * size + j) * minor + k] =
            ThreeFry2x32(counter + count, key)[j % 2];
      }
    }
  }
  return static_cast<uint64_t>(major * half * minor);
}

uint64_t ThreeFryWords64(uint64_t counter, uint64_t key,
                         absl::Span<uint64_t> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const auto bits = ThreeFry2x32(counter + i, key);
    words[i] = Join(bits[0], bits[1]);
  }
  return words.size();
}

// Returns the low bits of the words as elements of `shape`.
absl::StatusOr<Literal> LowBits(const Literal& words, const Shape& shape) {
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(shape));
  const PrimitiveType type = shape.element_type();
  PrimitiveType bits = primitive_util::UnsignedIntegralTypeForBitWidth(
      primitive_util::BitWidth(type));
  if (bits == PRIMITIVE_TYPE_INVALID) bits = U8;
  ConvertElements(U64, words.untyped_data(), bits, result.untyped_data(),
                  words.element_count());
  return result;
}

// Returns a number uniform in [0, 1), with as many bits as a double holds.
double UnitInterval(uint64_t word) { return std::ldexp(word >> 11, -53); }

// Makes a normally distributed number from two words. Source: Box and Muller,
// "A note on the generation of random normal deviates" (1958).
double StandardNormal(uint64_t word0, uint64_t word1) {
  constexpr double kTwoPi = 6.283185307179586;
  const double radius = std::sqrt(-2 * std::log1p(-UnitInterval(word0)));
  return radius * std::cos(kTwoPi * UnitInterval(word1));
}

template <typename T>
T Scalar(const Literal& literal, PrimitiveType type) {
  T value = {};
  ConvertElements(literal.shape().element_type(), literal.untyped_data(), type,
                  &value, 1);
  return value;
}

// Turns words into numbers in [a, b): a + word mod (b - a). If the interval is
// empty, which is undefined, uses all bits.
void RandomIntegers(Operands operands, absl::Span<uint64_t> words) {
  const PrimitiveType type = operands[0]->shape().element_type();
  if (type == PRED) {
    const bool a = Scalar<bool>(*operands[0], PRED);
    const bool b = Scalar<bool>(*operands[1], PRED);
    for (uint64_t& word : words) word = !a && b ? 0 : word & 1;
    return;
  }
  const PrimitiveType wide =
      primitive_util::IsSignedIntegralType(type) ? S64 : U64;
  const uint64_t a = Scalar<uint64_t>(*operands[0], wide);
  const uint64_t range = Scalar<uint64_t>(*operands[1], wide) - a;
  for (uint64_t& word : words) word = a + (range == 0 ? word : word % range);
}

// Rounding to the element type may reach the end of [a, b); such elements
// become a.
void ExcludeEnd(const Literal& a, const Literal& b, Literal& result) {
  const int bytes = primitive_util::ByteWidth(result.shape().element_type());
  char* element = static_cast<char*>(result.untyped_data());
  for (int64_t i = 0; i < result.element_count(); ++i, element += bytes) {
    if (std::memcmp(element, b.untyped_data(), bytes) == 0) {
      std::memcpy(element, a.untyped_data(), bytes);
    }
  }
}

absl::StatusOr<Literal> RandomFloats(const HloInstruction& hlo,
                                     Operands operands, uint64_t key,
                                     absl::Span<const uint64_t> words) {
  // The second words of normal numbers use counters that no other words use.
  constexpr absl::uint128 kSecond = absl::MakeUint128(1, 0);
  const bool is_normal = hlo.attrs<RngAttrs>().distribution == RNG_NORMAL;
  const double a = Scalar<double>(*operands[0], F64);
  const double b = Scalar<double>(*operands[1], F64);
  TF_ASSIGN_OR_RETURN(Shape shape, ShapeUtil::MakeValidatedShape(
                                       F64, hlo.shape().dimensions()));
  TF_ASSIGN_OR_RETURN(Literal numbers, MakeArrayResult(shape));
  absl::Span<double> x = numbers.data<double>();
  for (size_t i = 0; i < x.size(); ++i) {
    if (is_normal) {
      const auto second = Philox4x32(kSecond + i, key);
      x[i] = a + b * StandardNormal(words[i], Join(second[0], second[1]));
    } else {
      x[i] = a + (b - a) * UnitInterval(words[i]);
    }
  }
  TF_ASSIGN_OR_RETURN(Literal result, MakeArrayResult(hlo.shape()));
  ConvertElements(F64, x.data(), hlo.shape().element_type(),
                  result.untyped_data(), x.size());
  if (!is_normal && b > a) ExcludeEnd(*operands[0], *operands[1], result);
  return result;
}

}  // namespace

absl::StatusOr<Literal> EvaluateRngBitGenerator(const HloInstruction& hlo,
                                                Operands operands) {
  const Literal& state = *operands[0];
  const RandomAlgorithm algorithm = hlo.attrs<RngBitGeneratorAttrs>().algorithm;
  const bool is_philox = algorithm != RNG_THREE_FRY;
  const Shape& shape = hlo.shape().tuple_shapes(1);
  const int64_t state_size = state.element_count();
  if (state.shape().element_type() != U64 || state.shape().rank() != 1 ||
      !(state_size == 2 || (is_philox && state_size == 3))) {
    return InvalidArgument(
        "rng-bit-generator: %s needs a state u64[2]%s, got %s (instruction %s)",
        is_philox ? "Philox" : "Threefry", is_philox ? " or u64[3]" : "",
        ShapeUtil::HumanString(state.shape()), hlo.name());
  }
  const int width = primitive_util::BitWidth(shape.element_type());
  if (width > 64 || primitive_util::IsComplexType(shape.element_type())) {
    return Unimplemented("rng-bit-generator: no bits of type %s",
                         ShapeUtil::HumanString(shape));
  }
  Literal next = state.Clone();
  absl::Span<uint64_t> key_and_counter = next.data<uint64_t>();
  const uint64_t key = key_and_counter[0];
  TF_ASSIGN_OR_RETURN(Literal words, MakeWords(shape));
  if (is_philox) {
    // Without an upper half of the counter, XLA uses the key for it.
    absl::uint128 counter = absl::MakeUint128(
        key_and_counter[state_size == 3 ? 2 : 0], key_and_counter[1]);
    counter += PhiloxWords(counter, key, width == 64, words.data<uint64_t>());
    key_and_counter[1] = absl::Uint128Low64(counter);
    if (state_size == 3) key_and_counter[2] = absl::Uint128High64(counter);
  } else if (width == 64) {
    key_and_counter[1] +=
        ThreeFryWords64(key_and_counter[1], key, words.data<uint64_t>());
  } else {
    key_and_counter[1] += ThreeFryWords32(
        key_and_counter[1], key, shape.dimensions(), words.data<uint64_t>());
  }
  if (width == 6) {  // a byte in memory, whose upper bits stay 0
    for (uint64_t& word : words.data<uint64_t>()) word &= 63;
  }
  std::vector<Literal> results;
  results.push_back(std::move(next));
  TF_ASSIGN_OR_RETURN(Literal bits, LowBits(words, shape));
  results.push_back(std::move(bits));
  return Literal::MoveIntoTuple(absl::MakeSpan(results));
}

absl::StatusOr<Literal> EvaluateRng(Interpreter& interpreter,
                                    const HloInstruction& hlo,
                                    Operands operands) {
  const Shape& shape = hlo.shape();
  const uint64_t key = interpreter.device().NextRandomBits();
  TF_ASSIGN_OR_RETURN(Literal words, MakeWords(shape));
  PhiloxWords(0, key, /*is_64_bit=*/true, words.data<uint64_t>());
  if (primitive_util::IsFloatingPointType(shape.element_type())) {
    return RandomFloats(hlo, operands, key, words.data<uint64_t>());
  }
  RandomIntegers(operands, words.data<uint64_t>());
  return LowBits(words, shape);
}

absl::StatusOr<Literal> EvaluateRngGetAndUpdateState(
    Interpreter& interpreter, const HloInstruction& hlo) {
  const absl::uint128 state = interpreter.device().GetAndUpdateRngState(
      hlo.attrs<RngGetAndUpdateStateAttrs>().delta);
  TF_ASSIGN_OR_RETURN(Literal result,
                      MakeArrayResult(ShapeUtil::MakeShape(U64, {2})));
  absl::Span<uint64_t> halves = result.data<uint64_t>();
  halves[0] = absl::Uint128Low64(state);
  halves[1] = absl::Uint128High64(state);
  return result;
}

}  // namespace xla
