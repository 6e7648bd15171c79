// Ranges, grids and errors; literals; the comparison of results.
#include "tests/fuzz/program_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "xla/core/index_util.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"

namespace xla::fuzz {

uint64_t Random::Bits() {
  // SplitMix64.
  uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t Random::Below(int64_t n) {
  return n < 2 ? 0 : static_cast<int64_t>(Bits() % static_cast<uint64_t>(n));
}

bool Random::Chance(double probability) {
  return static_cast<double>(Bits() >> 11) * 0x1p-53 < probability;
}

std::vector<int64_t> Random::Permutation(int64_t n) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (int64_t i = n - 1; i > 0; --i) std::swap(order[i], order[Below(i + 1)]);
  return order;
}

Knowledge Union(const Knowledge& a, const Knowledge& b) {
  return {.bound = std::max(a.bound, b.bound),
          .grain = std::min(a.grain, b.grain),
          .error = std::max(a.error, b.error),
          .relative = std::max(a.relative, b.relative),
          .signs = a.signs && b.signs};
}

bool IsReal(PrimitiveType type) {
  return primitive_util::IsFloatingPointType(type);
}

bool IsInteger(PrimitiveType type) {
  return primitive_util::IsIntegralType(type);
}

Knowledge AnyOf(PrimitiveType type) {
  if (type == PRED) return {.bound = 1, .grain = 1};
  if (!IsInteger(type)) return {};
  return {.bound = std::ldexp(1.0, primitive_util::BitWidth(type)), .grain = 1};
}

double UnitOf(PrimitiveType type) {
  if (type == C64) type = F32;
  if (!IsReal(type)) return 0;
  return std::ldexp(1.0, -primitive_util::SignificandWidth(type));
}

double LimitOf(PrimitiveType type) {
  switch (type) {
    case F16:
      return 1e4;
    case F64:
      return 1e100;
    default:
      return 1e12;
  }
}

Knowledge Rounded(PrimitiveType type, Knowledge known, double roundings) {
  if (IsInteger(type)) {
    const Knowledge any = AnyOf(type);
    const bool small =
        known.bound < std::ldexp(1.0, primitive_util::BitWidth(type) - 1);
    return small ? known : any;
  }
  known.signs = false;
  if (!(known.bound < LimitOf(type))) return {.relative = 1};
  const double unit = UnitOf(type);
  if (known.exact() && known.grain > 0 && known.bound <= known.grain / unit &&
      (type != F16 || known.grain >= 0x1p-20) && known.grain >= 0x1p-100) {
    return known;
  }
  known.grain = 0;
  known.error += roundings * unit * known.bound;
  known.bound += known.error;
  return known;
}

Literal GridLiteral(const Shape& shape, double bound, double grain,
                    Random& random) {
  const PrimitiveType type = shape.element_type();
  const int64_t steps = static_cast<int64_t>(bound / grain);
  const bool nonnegative =
      type == PRED || primitive_util::IsUnsignedIntegralType(type);
  auto draw = [&]() -> double {
    return grain * random.In(nonnegative ? 0 : -steps, steps);
  };
  if (primitive_util::IsComplexType(type)) {
    Literal wide(ShapeUtil::MakeShape(C128, shape.dimensions()));
    for (complex128& element : wide.data<complex128>()) {
      const double real = draw();
      element = complex128(real, draw());
    }
    return wide.Convert(type).value().Relayout(shape);
  }
  Literal wide(ShapeUtil::MakeShape(F64, shape.dimensions()));
  for (double& element : wide.data<double>()) element = draw();
  return wide.Convert(type).value().Relayout(shape);
}

namespace {

double WildNumber(PrimitiveType type, Random& random) {
  const int top = primitive_util::OverflowExponent(type);
  const int bottom = primitive_util::UnderflowExponent(type);
  switch (random.Below(12)) {
    case 0:
      return random.Of(std::vector<double>{0.0,
                                           -0.0,
                                           1,
                                           -1,
                                           kInfinity,
                                           -kInfinity,
                                           std::nan(""),
                                           0.5,
                                           -0.5,
                                           2.5,
                                           -2.5,
                                           1.5,
                                           127,
                                           128,
                                           -128,
                                           -129,
                                           255,
                                           256,
                                           2147483647.0,
                                           -2147483648.0,
                                           2147483648.0,
                                           4294967296.0,
                                           9223372036854775808.0,
                                           -9223372036854775808.0,
                                           18446744073709551616.0});
    case 1:  // the least and the largest
      return std::ldexp(random.In(-3, 3),
                        random.Chance(0.5)
                            ? bottom - primitive_util::SignificandWidth(type)
                            : top - 2);
    case 2:  // any
      return std::ldexp(static_cast<double>(random.In(-(1 << 30), 1 << 30)),
                        random.In(bottom - 40, top - 30));
    default:
      return std::ldexp(static_cast<double>(random.In(-(1 << 30), 1 << 30)),
                        random.In(-36, -24));
  }
}

}  // namespace

Literal WildLiteral(const Shape& shape, Random& random) {
  const PrimitiveType type = shape.element_type();
  if (type == PRED) return GridLiteral(shape, 1, 1, random);
  if (IsReal(type)) {
    Literal wide(ShapeUtil::MakeShape(F64, shape.dimensions()));
    for (double& element : wide.data<double>()) {
      element = WildNumber(type, random);
    }
    return wide.Convert(type).value().Relayout(shape);
  }
  Literal literal(shape);
  const int width = primitive_util::ByteWidth(type);
  const int64_t elements = ShapeUtil::ElementsIn(shape);
  char* data = static_cast<char*>(literal.untyped_data());
  const uint64_t top = uint64_t{1} << (8 * width - 1);
  const std::vector<uint64_t> special = {
      0, 1, ~uint64_t{0}, top, top - 1, 2, static_cast<uint64_t>(width) * 8};
  for (int64_t i = 0; i < elements; ++i) {
    uint64_t bits = random.Chance(0.4) ? random.Of(special) : random.Bits();
    if (random.Chance(0.2)) bits >>= random.Below(64);
    std::memcpy(data + i * width, &bits, width);
  }
  return literal;
}

namespace {

bool Same(double expected, double actual, PrimitiveType type,
          const Knowledge& known) {
  if (std::isnan(expected) || std::isnan(actual)) {
    return std::isnan(expected) && std::isnan(actual);
  }
  if (expected == actual) {
    return expected != 0 || !known.signs || !known.exact() ||
           std::signbit(expected) == std::signbit(actual);
  }
  if (known.exact()) return false;
  double allowed = 2 * known.error;
  if (known.relative > 0) {
    // Allows a few of the least numbers, and the last roundings before
    // infinity.
    allowed += std::ldexp(4, primitive_util::UnderflowExponent(type) -
                                 primitive_util::SignificandWidth(type));
    const double most = std::ldexp(1.0, primitive_util::OverflowExponent(type));
    expected = std::clamp(expected, -most, most);
    actual = std::clamp(actual, -most, most);
    allowed += known.relative * std::abs(expected);
  }
  return std::abs(expected - actual) <= allowed;
}

}  // namespace

std::string Difference(const LiteralSlice& expected, const LiteralSlice& actual,
                       const Knowledge& known) {
  const Shape& shape = expected.shape();
  if (!ShapeUtil::Compatible(shape, actual.shape())) {
    return absl::StrCat("shapes differ: ", ShapeUtil::HumanString(shape),
                        " and ", ShapeUtil::HumanString(actual.shape()));
  }
  PrimitiveType type = shape.element_type();
  const bool complex = primitive_util::IsComplexType(type);
  const bool whole = !complex && !IsReal(type);
  if (complex) type = primitive_util::ComplexComponentType(type);
  Literal want, got;
  if (!whole) {
    want = expected.Convert(complex ? C128 : F64).value();
    got = actual.Convert(complex ? C128 : F64).value();
  }
  int64_t wrong = 0, all = 0;
  std::string first;
  ShapeUtil::ForEachIndex(shape, [&](absl::Span<const int64_t> index) {
    bool same;
    if (whole) {
      same = expected.GetAsString(index) == actual.GetAsString(index);
    } else if (complex) {
      const complex128 w = want.Get<complex128>(index);
      const complex128 g = got.Get<complex128>(index);
      same = Same(w.real(), g.real(), type, known) &&
             Same(w.imag(), g.imag(), type, known);
    } else {
      same = Same(want.Get<double>(index), got.Get<double>(index), type, known);
    }
    ++all;
    if (!same && ++wrong <= 5) {
      absl::StrAppend(&first, "\n  [", absl::StrJoin(index, ","), "] is ",
                      actual.GetAsString(index), ", must be ",
                      expected.GetAsString(index));
    }
    return true;
  });
  if (wrong == 0) return "";
  return absl::StrFormat(
      "%d of %d elements of %s differ by more than %g + %g:%s", wrong, all,
      ShapeUtil::HumanString(shape), 2 * known.error, known.relative, first);
}

}  // namespace xla::fuzz
