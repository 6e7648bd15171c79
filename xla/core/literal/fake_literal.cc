// Draws the numbers of MakeFakeLiteral.
#include "xla/core/literal/fake_literal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "xla/base/convert_value.h"
#include "xla/base/status_macros.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

struct FakeOptions {
  std::optional<std::pair<int64_t, int64_t>> limit;  // of integers
  bool is_sorted = false;
  bool no_duplicates = false;
  bool use_large_range = false;
  std::optional<int64_t> max_bits;
};

// The numbers from which elements are drawn; whole ones have both ends.
struct FakeRange {
  double low;
  double high;
  bool is_whole;
};

// Returns a number in [0, 1).
double Fraction(std::minstd_rand0& engine) {
  return static_cast<double>(engine() - engine.min()) /
         (static_cast<double>(engine.max() - engine.min()) + 1);
}

// Returns any finite number, each exponent as likely as any other.
template <typename T>
T AnyNumber(std::minstd_rand0& engine) {
  using Limits = std::numeric_limits<T>;
  const double fraction = Fraction(engine);
  if constexpr (Limits::is_integer) {
    return static_cast<T>(engine() ^ (static_cast<uint64_t>(engine()) << 33));
  } else {
    const int exponents = Limits::max_exponent - Limits::min_exponent;
    const int exponent =
        Limits::min_exponent + static_cast<int>(engine() % exponents);
    const double sign = Limits::is_signed && engine() % 2 == 1 ? -1 : 1;
    return static_cast<T>(sign * std::ldexp(0.5 + fraction / 2, exponent));
  }
}

// Returns the range of numbers of T; nullopt if any number may be drawn.
template <typename T>
std::optional<FakeRange> RangeOf(const FakeOptions& options) {
  using Limits = std::numeric_limits<T>;
  const double lowest = static_cast<double>(Limits::lowest());
  const double max = static_cast<double>(Limits::max());
  FakeRange range = {-1, 1, Limits::is_integer};
  if (options.max_bits.has_value()) {
    const double bits = static_cast<double>(
        std::clamp<int64_t>(*options.max_bits, 0, Limits::digits));
    range.high = std::exp2(bits) - 1;
    range.is_whole = true;
  } else if (Limits::is_integer) {
    range.high = 100;
    if (options.use_large_range && !options.limit.has_value()) {
      // Halves of a range of 64 bits are numbers of double.
      if (!options.no_duplicates) return std::nullopt;
      range.high = max / 2;
    }
  } else if (options.use_large_range) {
    if (!options.no_duplicates) return std::nullopt;
    range.high = max / 2;
  }
  range.low = -range.high;
  if (Limits::is_integer && options.limit.has_value()) {
    range.low = static_cast<double>(options.limit->first);
    range.high = static_cast<double>(options.limit->second);
  }
  range.low = std::clamp(range.low, lowest, max);
  range.high = std::clamp(range.high, range.low, max);
  return range;
}

template <typename T>
T NumberIn(const FakeRange& range, double fraction) {
  const double width = range.high - range.low;
  if (!range.is_whole) return static_cast<T>(range.low + fraction * width);
  return ConvertValue<T>(
      std::min(range.low + std::floor(fraction * (width + 1)), range.high));
}

// Fills with numbers that are as far from each other as fit, in any order.
template <typename T>
void FillWithDistinct(std::minstd_rand0& engine, const FakeRange& range,
                      absl::Span<T> elements) {
  const double count = static_cast<double>(elements.size());
  double i = 0;
  for (T& element : elements) element = NumberIn<T>(range, i++ / count);
  std::shuffle(elements.begin(), elements.end(), engine);
}

template <typename T>
void Fill(std::minstd_rand0* engine, const FakeOptions& options,
          absl::Span<T> elements) {
  if (engine == nullptr) {
    std::fill(elements.begin(), elements.end(), static_cast<T>(1));
  } else if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    std::vector<Part> parts(2 * elements.size());
    Fill<Part>(engine, options, absl::MakeSpan(parts));
    for (size_t i = 0; i < elements.size(); ++i) {
      elements[i] = T(parts[2 * i], parts[2 * i + 1]);
    }
  } else if constexpr (std::is_same_v<T, bool>) {
    for (bool& element : elements) element = (*engine)() % 2 == 1;
  } else {
    const std::optional<FakeRange> range = RangeOf<T>(options);
    if (!range.has_value()) {
      for (T& element : elements) element = AnyNumber<T>(*engine);
    } else if (options.no_duplicates) {
      FillWithDistinct(*engine, *range, elements);
    } else {
      for (T& element : elements) {
        element = NumberIn<T>(*range, Fraction(*engine));
      }
    }
    if (std::numeric_limits<T>::is_integer && options.is_sorted) {
      std::sort(elements.begin(), elements.end());
    }
  }
}

absl::StatusOr<Literal> FakeLiteral(const Shape& shape,
                                    std::minstd_rand0* engine,
                                    const FakeOptions& options) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& part : shape.tuple_shapes()) {
      TF_ASSIGN_OR_RETURN(Literal element, FakeLiteral(part, engine, options));
      elements.push_back(std::move(element));
    }
    return LiteralUtil::MakeTupleOwned(std::move(elements));
  }
  if (shape.IsToken()) return LiteralUtil::CreateToken();
  if (!shape.IsArray()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a literal cannot be of ", shape.ToString()));
  }
  TF_ASSIGN_OR_RETURN(Literal literal, Literal::Make(DenseLiteralShape(shape)));
  primitive_util::ArrayTypeSwitch<void>(
      [&](auto constant) {
        using T = primitive_util::NativeTypeOf<constant>;
        Fill<T>(engine, options, literal.data<T>());
      },
      shape.element_type());
  return literal;
}

}  // namespace

absl::StatusOr<Literal> MakeFakeLiteral(const Shape& shape, bool pseudo_random,
                                        bool use_large_range) {
  std::minstd_rand0 engine;
  FakeOptions options;
  options.use_large_range = use_large_range;
  return FakeLiteral(shape, pseudo_random ? &engine : nullptr, options);
}

absl::StatusOr<Literal> MakeFakeLiteral(
    const Shape& shape, std::minstd_rand0* engine,
    std::optional<std::pair<int64_t, int64_t>> limit, bool is_sorted,
    bool no_duplicates, bool use_large_range,
    std::optional<int64_t> max_bits_of_precision) {
  return FakeLiteral(shape, engine,
                     {limit, is_sorted, no_duplicates, use_large_range,
                      max_bits_of_precision});
}

}  // namespace xla
