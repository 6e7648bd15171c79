// Linear forms with arithmetic modulo a power of two.
#include "xla/hlo/builder/inference/value_sums.h"

#include "xla/core/primitive_util.h"

namespace xla {
namespace {

using Number = absl::int128;

// The most terms of a sum, and the greatest factor: products of factors and
// numbers of 64 bits do not overflow, nor do their sums.
constexpr size_t kMaxTerms = 8;
constexpr Number kMaxFactor = Number(1) << 32;

// Returns the number of values of a type.
Number CountOf(PrimitiveType type) {
  return Number(1) << primitive_util::BitWidth(type);
}

// Returns the multiple of `count` to subtract so that `number` is in
// [low, low + count).
Number Excess(Number number, Number low, Number count) {
  Number rest = (number - low) % count;
  if (rest < 0) rest += count;
  return number - low - rest;
}

// Returns the number next to 0 that is the same modulo `count`.
Number Reduced(Number number, Number count) {
  return number - Excess(number, -count / 2, count);
}

bool IsNumber(PrimitiveType type) {
  return primitive_util::IsIntegralType(type);
}

}  // namespace

int32_t ValueSums::AddUnknown(std::optional<ValueBounds> bounds) {
  unknowns_.push_back(bounds);
  Sum sum;
  sum.terms.emplace_back(static_cast<int32_t>(unknowns_.size()) - 1, 1);
  sums_.push_back(std::move(sum));
  return static_cast<int32_t>(sums_.size());
}

std::optional<ValueSums::Sum> ValueSums::SumOf(
    const KnownElement& element) const {
  if (element.sum != 0) return sums_[element.sum - 1];
  if (element.dynamic) return std::nullopt;
  Sum sum;
  sum.constant = element.bounds.low;
  return sum;
}

std::optional<ValueBounds> ValueSums::RawBounds(const Sum& sum) const {
  ValueBounds result = {sum.constant, sum.constant};
  for (const auto& [unknown, factor] : sum.terms) {
    const std::optional<ValueBounds>& bounds = unknowns_[unknown];
    if (!bounds.has_value()) return std::nullopt;
    result.low += factor * (factor < 0 ? bounds->high : bounds->low);
    result.high += factor * (factor < 0 ? bounds->low : bounds->high);
  }
  return result;
}

std::optional<ValueBounds> ValueSums::BoundsOf(int32_t sum,
                                               PrimitiveType type) const {
  std::optional<ValueBounds> result = RawBounds(sums_[sum - 1]);
  if (!result.has_value()) return std::nullopt;
  const ValueBounds range = RangeOf(type);
  const Number excess = Excess(result->low, range.low, CountOf(type));
  result->low -= excess;
  result->high -= excess;
  if (result->high > range.high) return std::nullopt;
  return result;
}

ValueSums::Sum ValueSums::Plus(const Sum& a, Number factor, const Sum& b) {
  Sum result;
  result.constant = a.constant + factor * b.constant;
  auto left = a.terms.begin();
  auto right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    const bool takes_left =
        right == b.terms.end() ||
        (left != a.terms.end() && left->first <= right->first);
    const bool takes_right =
        left == a.terms.end() ||
        (right != b.terms.end() && right->first <= left->first);
    auto& term = result.terms.emplace_back(
        takes_left ? left->first : right->first, Number(0));
    if (takes_left) term.second += (left++)->second;
    if (takes_right) term.second += factor * (right++)->second;
  }
  return result;
}

std::optional<ValueSums::Sum> ValueSums::Times(const Sum& a, const Sum& b) {
  const Sum& factor = a.terms.empty() ? a : b;
  if (!factor.terms.empty() || factor.constant > kMaxFactor ||
      factor.constant < -kMaxFactor) {
    return std::nullopt;
  }
  return Plus(Sum(), factor.constant, a.terms.empty() ? b : a);
}

std::optional<ValueSums::Sum> ValueSums::Converted(Sum sum, PrimitiveType from,
                                                   PrimitiveType to) const {
  const std::optional<ValueBounds> raw = RawBounds(sum);
  if (!raw.has_value()) return std::nullopt;
  const ValueBounds range = RangeOf(from);
  const Number excess = Excess(raw->low, range.low, CountOf(from));
  const ValueBounds bounds = {raw->low - excess, raw->high - excess};
  const ValueBounds results = RangeOf(to);
  if (bounds.high > range.high || bounds.low < results.low ||
      bounds.high > results.high) {
    return std::nullopt;
  }
  sum.constant -= excess;
  return sum;
}

int32_t ValueSums::Apply(HloOpcode opcode, PrimitiveType type,
                         PrimitiveType operand_type,
                         absl::Span<const KnownElement> operands) {
  if (!IsNumber(type) || !IsNumber(operand_type)) return 0;
  std::optional<Sum> a, b, result;
  a = SumOf(operands[0]);
  if (operands.size() > 1) b = SumOf(operands[1]);
  if (!a.has_value() || (operands.size() > 1 && !b.has_value())) return 0;
  switch (opcode) {
    case HloOpcode::kCopy:
      result = std::move(a);
      break;
    case HloOpcode::kConvert:
      result = type == operand_type
                   ? std::move(a)
                   : Converted(*std::move(a), operand_type, type);
      break;
    case HloOpcode::kNegate:
      result = Plus(Sum(), -1, *a);
      break;
    case HloOpcode::kAdd:
      result = Plus(*a, 1, *b);
      break;
    case HloOpcode::kSubtract:
      result = Plus(*a, -1, *b);
      break;
    case HloOpcode::kMultiply:
      result = Times(*a, *b);
      break;
    default:
      break;
  }
  if (!result.has_value()) return 0;
  const Number count = CountOf(type);
  Sum sum;
  sum.constant = Reduced(result->constant, count);
  for (const auto& [unknown, factor] : result->terms) {
    const Number reduced = Reduced(factor, count);
    if (reduced > kMaxFactor || reduced < -kMaxFactor) return 0;
    if (reduced != 0) sum.terms.emplace_back(unknown, reduced);
  }
  if (sum.terms.size() > kMaxTerms) return 0;
  sums_.push_back(std::move(sum));
  return static_cast<int32_t>(sums_.size());
}

}  // namespace xla
