// One function for each group of ops.
#include "xla/hlo/builder/inference/value_bounds.h"

#include <algorithm>
#include <initializer_list>

#include "xla/core/primitive_util.h"

namespace xla {
namespace {

using Number = absl::int128;

bool Contains(const ValueBounds& interval, Number number) {
  return interval.low <= number && number <= interval.high;
}

ValueBounds Hull(std::initializer_list<Number> numbers) {
  return {std::min(numbers), std::max(numbers)};
}

Number Magnitude(Number number) { return number < 0 ? -number : number; }

// Returns the lowest number of the form 2^n - 1 that is at least `number`.
Number AllBitsOf(Number number) {
  Number bits = 0;
  while (bits < number) bits = 2 * bits + 1;
  return bits;
}

ValueBounds Times(const ValueBounds& a, const ValueBounds& b) {
  return Hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

// Divides towards zero. Division by 0 sets all bits: -1, or the greatest number
// of an unsigned type.
std::optional<ValueBounds> Over(const ValueBounds& a, const ValueBounds& b,
                                bool is_unsigned) {
  if (is_unsigned && Contains(b, 0)) return std::nullopt;
  std::optional<ValueBounds> result;
  const auto add = [&](Number divisor) {
    const ValueBounds some = divisor == 0
                                 ? ValueBounds{-1, -1}
                                 : Hull({a.low / divisor, a.high / divisor});
    result = result.has_value()
                 ? Hull({result->low, result->high, some.low, some.high})
                 : some;
  };
  add(b.low);
  add(b.high);
  // The divisors next to zero give the greatest results.
  for (Number divisor : {-1, 0, 1}) {
    if (Contains(b, divisor)) add(divisor);
  }
  return result;
}

// Takes the sign of the first operand; x % 0 is x.
ValueBounds Remainder(const ValueBounds& a, const ValueBounds& b) {
  const Number divisor = std::max(Magnitude(b.low), Magnitude(b.high)) - 1;
  const auto limit = [&](Number most) {
    if (Contains(b, 0)) return most;
    return std::min(most, divisor);
  };
  return {a.low >= 0 ? Number(0) : -limit(-a.low),
          a.high <= 0 ? Number(0) : limit(a.high)};
}

std::optional<ValueBounds> Bitwise(HloOpcode opcode, const ValueBounds& a,
                                   const ValueBounds& b) {
  if (a.low < 0 || b.low < 0) return std::nullopt;
  if (opcode == HloOpcode::kAnd)
    return ValueBounds{0, std::min(a.high, b.high)};
  const Number most = AllBitsOf(std::max(a.high, b.high));
  return ValueBounds{
      opcode == HloOpcode::kOr ? std::max(a.low, b.low) : Number(0), most};
}

// Returns {0} or {1} if the bounds decide the comparison.
ValueBounds Compared(ComparisonDirection direction, const ValueBounds& a,
                     const ValueBounds& b) {
  const auto decided = [](bool never, bool always) {
    return ValueBounds{always ? 1 : 0, never ? 0 : 1};
  };
  switch (direction) {
    case ComparisonDirection::kEq:
      return decided(a.high < b.low || b.high < a.low,
                     a.low == b.high && a.high == b.low);
    case ComparisonDirection::kNe:
      return decided(a.low == b.high && a.high == b.low,
                     a.high < b.low || b.high < a.low);
    case ComparisonDirection::kLt:
      return decided(a.low >= b.high, a.high < b.low);
    case ComparisonDirection::kLe:
      return decided(a.low > b.high, a.high <= b.low);
    case ComparisonDirection::kGt:
      return decided(a.high <= b.low, a.low > b.high);
    case ComparisonDirection::kGe:
      break;
  }
  return decided(a.high < b.low, a.low >= b.high);
}

ValueBounds Converted(PrimitiveType type, const ValueBounds& a) {
  if (type != PRED) return a;
  return Compared(ComparisonDirection::kNe, a, {0, 0});
}

std::optional<ValueBounds> UnaryBounds(HloOpcode opcode, PrimitiveType type,
                                       const ValueBounds& a) {
  const ValueBounds range = RangeOf(type);
  switch (opcode) {
    case HloOpcode::kCopy:
      return a;
    case HloOpcode::kConvert:
      return Converted(type, a);
    case HloOpcode::kNegate:
      return ValueBounds{-a.high, -a.low};
    case HloOpcode::kAbs: {
      const ValueBounds ends = Hull({Magnitude(a.low), Magnitude(a.high)});
      return ValueBounds{Contains(a, 0) ? Number(0) : ends.low, ends.high};
    }
    case HloOpcode::kSign:
      return ValueBounds{a.low > 0 ? 1 : (a.low < 0 ? -1 : 0),
                         a.high > 0 ? 1 : (a.high < 0 ? -1 : 0)};
    case HloOpcode::kNot: {
      // The range of a type is symmetric around this number.
      const Number sum = range.low + range.high;
      return ValueBounds{sum - a.high, sum - a.low};
    }
    default:
      return std::nullopt;
  }
}

std::optional<ValueBounds> BinaryBounds(HloOpcode opcode, PrimitiveType type,
                                        const ValueBounds& a,
                                        const ValueBounds& b) {
  if (type == PRED && opcode == HloOpcode::kAnd) opcode = HloOpcode::kMinimum;
  if (type == PRED && opcode == HloOpcode::kOr) opcode = HloOpcode::kMaximum;
  switch (opcode) {
    case HloOpcode::kAdd:
      return ValueBounds{a.low + b.low, a.high + b.high};
    case HloOpcode::kSubtract:
      return ValueBounds{a.low - b.high, a.high - b.low};
    case HloOpcode::kMultiply:
      return Times(a, b);
    case HloOpcode::kDivide:
      return Over(a, b, primitive_util::IsUnsignedIntegralType(type));
    case HloOpcode::kRemainder:
      return Remainder(a, b);
    case HloOpcode::kMaximum:
      return ValueBounds{std::max(a.low, b.low), std::max(a.high, b.high)};
    case HloOpcode::kMinimum:
      return ValueBounds{std::min(a.low, b.low), std::min(a.high, b.high)};
    case HloOpcode::kAnd:
    case HloOpcode::kOr:
    case HloOpcode::kXor:
      return Bitwise(opcode, a, b);
    default:
      return std::nullopt;
  }
}

}  // namespace

ValueBounds RangeOf(PrimitiveType type) {
  if (type == PRED) return {0, 1};
  const int bits = primitive_util::BitWidth(type);
  if (primitive_util::IsUnsignedIntegralType(type)) {
    return {0, (Number(1) << bits) - 1};
  }
  return {-(Number(1) << (bits - 1)), (Number(1) << (bits - 1)) - 1};
}

std::optional<ValueBounds> BoundsOf(HloOpcode opcode, PrimitiveType type,
                                    absl::Span<const ValueBounds> operands,
                                    ComparisonDirection direction) {
  std::optional<ValueBounds> result;
  if (operands.size() == 1) {
    result = UnaryBounds(opcode, type, operands[0]);
  } else if (operands.size() == 2) {
    result = opcode == HloOpcode::kCompare
                 ? Compared(direction, operands[0], operands[1])
                 : BinaryBounds(opcode, type, operands[0], operands[1]);
  }
  if (!result.has_value()) return std::nullopt;
  const ValueBounds range = RangeOf(type);
  if (result->low < range.low || result->high > range.high) return std::nullopt;
  return result;
}

}  // namespace xla
