// Draws the numbers of MakeFakeLiteral from a generator with a fixed seed.
#include "xla/core/literal/fake_literal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/base/types.h"
#include "xla/core/literal/literal_piece.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/primitive_util.h"

namespace xla {
namespace {

// Returns a number between -limit and limit, or 0 and limit for types without a
// sign; any finite one of the type if `limit` is 0.
template <typename T>
T FakeNumber(std::minstd_rand0& engine, double limit) {
  using Limits = std::numeric_limits<T>;
  const double fraction =  // in [0, 1)
      static_cast<double>(engine() - engine.min()) /
      (static_cast<double>(engine.max() - engine.min()) + 1);
  if (limit != 0) {
    limit = std::min(limit, static_cast<double>(Limits::max()));
    const double low = std::max(-limit, static_cast<double>(Limits::lowest()));
    return static_cast<T>(low + fraction * (limit - low));
  }
  if constexpr (Limits::is_integer) {
    return static_cast<T>(engine() ^ (static_cast<uint64_t>(engine()) << 33));
  } else {
    // Any exponent is as likely as any other.
    const int exponents = Limits::max_exponent - Limits::min_exponent;
    const int exponent =
        Limits::min_exponent + static_cast<int>(engine() % exponents);
    const double sign = Limits::is_signed && engine() % 2 == 1 ? -1 : 1;
    return static_cast<T>(sign * std::ldexp(0.5 + fraction / 2, exponent));
  }
}

template <typename T>
T FakeElement(std::minstd_rand0* engine, bool use_large_range) {
  if (engine == nullptr) return static_cast<T>(1);
  if constexpr (is_complex_v<T>) {
    using Part = typename T::value_type;
    const Part real = FakeElement<Part>(engine, use_large_range);
    return T(real, FakeElement<Part>(engine, use_large_range));
  } else if constexpr (std::is_same_v<T, bool>) {
    return (*engine)() % 2 == 1;
  } else {
    const double small = std::numeric_limits<T>::is_integer ? 100 : 1;
    return FakeNumber<T>(*engine, use_large_range ? 0 : small);
  }
}

absl::StatusOr<Literal> FakeLiteral(const Shape& shape,
                                    std::minstd_rand0* engine,
                                    bool use_large_range) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& part : shape.tuple_shapes()) {
      TF_ASSIGN_OR_RETURN(Literal element,
                          FakeLiteral(part, engine, use_large_range));
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
  TF_RETURN_IF_ERROR(primitive_util::ArrayTypeSwitch<absl::Status>(
      [&](auto constant) {
        using T = primitive_util::NativeTypeOf<constant>;
        return literal.PopulateLinear<T>(
            [&](int64_t) { return FakeElement<T>(engine, use_large_range); });
      },
      shape.element_type()));
  return literal;
}

}  // namespace

absl::StatusOr<Literal> MakeFakeLiteral(const Shape& shape, bool pseudo_random,
                                        bool use_large_range) {
  std::minstd_rand0 engine;
  return FakeLiteral(shape, pseudo_random ? &engine : nullptr, use_large_range);
}

}  // namespace xla
