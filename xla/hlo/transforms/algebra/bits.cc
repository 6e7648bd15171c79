// Rules of and, or, xor, not and the shifts, for integers and pred.
#include <algorithm>
#include <optional>

#include "xla/core/primitive_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// Whether one of `a` and `b` is the negation of the other.
bool AreOpposite(HloInstruction* a, HloInstruction* b) {
  return Arg(a, HloOpcode::kNot) == b || Arg(b, HloOpcode::kNot) == a;
}

// x & x => x, x | x => x
Result LogicalOfSame(HloInstruction* hlo, RuleContext&) {
  return Lhs(hlo) == Rhs(hlo) ? Lhs(hlo) : nullptr;
}

// x & ones => x, x | 0 => x, x ^ 0 => x
Result LogicalOfIdentity(HloInstruction* hlo, RuleContext&) {
  return IsIdentity(hlo->opcode(), Rhs(hlo)) ? Lhs(hlo) : nullptr;
}

// x & 0 => 0, x | ones => ones
Result LogicalAbsorbed(HloInstruction* hlo, RuleContext&) {
  const bool absorbed =
      Is(hlo, HloOpcode::kAnd) ? IsInt(Rhs(hlo), 0) : IsAllOnes(Rhs(hlo));
  return absorbed ? Rhs(hlo) : nullptr;
}

// x & not x => 0, x | not x => ones, x ^ not x => ones
Result LogicalOfNot(HloInstruction* hlo, RuleContext& context) {
  if (!AreOpposite(Lhs(hlo), Rhs(hlo))) return nullptr;
  return context.Integers(hlo->shape(),
                          Is(hlo, HloOpcode::kAnd) ? 0 : ~uint64_t{0});
}

// (x | y) & y => y, (x & y) | y => y
Result LogicalOfOpposite(HloInstruction* hlo, RuleContext&) {
  return AbsorbedByDual(
      hlo, Is(hlo, HloOpcode::kAnd) ? HloOpcode::kOr : HloOpcode::kAnd);
}

// x ^ x => 0
Result XorOfSame(HloInstruction* hlo, RuleContext& context) {
  if (Lhs(hlo) != Rhs(hlo)) return nullptr;
  return context.Integers(hlo->shape(), 0);
}

// x ^ ones => not x
Result XorOfOnes(HloInstruction* hlo, RuleContext& context) {
  if (!IsAllOnes(Rhs(hlo))) return nullptr;
  return context.Make(HloOpcode::kNot, hlo->shape(), {Lhs(hlo)});
}

// not x ^ not y => x ^ y
Result XorOfNots(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNot);
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNot);
  if (x == nullptr || y == nullptr) return nullptr;
  return context.Make(HloOpcode::kXor, hlo->shape(), {x, y});
}

// (x ^ y) ^ y => x
Result XorTwice(HloInstruction* hlo, RuleContext&) {
  for (int i = 0; i < 2; ++i) {
    HloInstruction* inner = hlo->mutable_operand(i);
    const HloInstruction* other = hlo->operand(1 - i);
    if (!Is(inner, HloOpcode::kXor)) continue;
    if (Lhs(inner) == other) return Rhs(inner);
    if (Rhs(inner) == other) return Lhs(inner);
  }
  return nullptr;
}

// not not x => x
Result NotTwice(HloInstruction* hlo, RuleContext&) {
  return Arg(Lhs(hlo), HloOpcode::kNot);
}

// not (x < y) => x >= y, unless nan makes them unordered
Result NotCompare(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* compare = Lhs(hlo);
  if (!Is(compare, HloOpcode::kCompare) || !OneUse(compare)) return nullptr;
  auto attrs = compare->attrs<CompareAttrs>();
  using Direction = ComparisonDirection;
  const bool ordered = IsIntegerOrPred(Lhs(compare)) ||
                       attrs.type == Comparison::Type::kFloatTotalOrder;
  switch (attrs.direction) {
    case Direction::kEq:
      attrs.direction = Direction::kNe;
      break;
    case Direction::kNe:
      attrs.direction = Direction::kEq;
      break;
    case Direction::kLt:
      attrs.direction = Direction::kGe;
      if (!ordered) return nullptr;
      break;
    case Direction::kGe:
      attrs.direction = Direction::kLt;
      if (!ordered) return nullptr;
      break;
    case Direction::kGt:
      attrs.direction = Direction::kLe;
      if (!ordered) return nullptr;
      break;
    case Direction::kLe:
      attrs.direction = Direction::kGt;
      if (!ordered) return nullptr;
      break;
  }
  return context.Make(HloOpcode::kCompare, hlo->shape(), compare->operands(),
                      attrs);
}

// not (x + -1) => -x
Result NotOfDecrement(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kAdd);
  if (x == nullptr || !IsInteger(hlo) || !IsAllOnes(Rhs(Lhs(hlo)))) {
    return nullptr;
  }
  return context.Make(HloOpcode::kNegate, hlo->shape(), {x});
}

// not (not x & not y) => x | y, not (not x | not y) => x & y
Result NotOfNots(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  const bool is_and = Is(inner, HloOpcode::kAnd);
  if ((!is_and && !Is(inner, HloOpcode::kOr)) || !OneUse(inner)) return nullptr;
  HloInstruction* x = Arg(Lhs(inner), HloOpcode::kNot);
  HloInstruction* y = Arg(Rhs(inner), HloOpcode::kNot);
  if (x == nullptr || y == nullptr) return nullptr;
  return context.Make(is_and ? HloOpcode::kOr : HloOpcode::kAnd, hlo->shape(),
                      {x, y});
}

// Shifts ----------------------------------------------------------------------

// Returns the amount of a shift by a splat, at most the element's width.
std::optional<int64_t> Amount(const HloInstruction* shift) {
  const auto amount = SplatInt(shift->operand(1));
  if (!amount.has_value()) return std::nullopt;
  const int64_t width = primitive_util::BitWidth(TypeOf(shift));
  // Negative amounts count as unsigned numbers.
  return *amount < 0 || *amount > width ? width : *amount;
}

bool IsArithmetic(const HloInstruction* shift) {
  return Is(shift, HloOpcode::kShiftRightArithmetic);
}

// x << 0 => x, and for the other shifts
Result ShiftByZero(HloInstruction* hlo, RuleContext&) {
  return IsInt(Rhs(hlo), 0) ? Lhs(hlo) : nullptr;
}

// 0 << y => 0, and for the other shifts
Result ShiftOfZero(HloInstruction* hlo, RuleContext&) {
  return IsInt(Lhs(hlo), 0) ? Lhs(hlo) : nullptr;
}

// x << c => 0 for c of at least the width, and for the logical right shift
Result ShiftOut(HloInstruction* hlo, RuleContext& context) {
  const auto amount = Amount(hlo);
  if (IsArithmetic(hlo) || !amount.has_value() ||
      *amount < primitive_util::BitWidth(TypeOf(hlo))) {
    return nullptr;
  }
  return context.Integers(hlo->shape(), 0);
}

// (x << c1) << c2 => x << (c1 + c2), and for the other shifts
Result ShiftTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  const auto c2 = Amount(hlo);
  if (!Is(inner, hlo->opcode()) || !c2.has_value()) return nullptr;
  const auto c1 = Amount(inner);
  if (!c1.has_value()) return nullptr;
  const int64_t width = primitive_util::BitWidth(TypeOf(hlo));
  int64_t sum = *c1 + *c2;
  if (sum >= width) {
    if (!IsArithmetic(hlo)) return context.Integers(hlo->shape(), 0);
    sum = width - 1;
  }
  return context.Make(hlo->opcode(), hlo->shape(),
                      {Lhs(inner), context.Integers(hlo->shape(), sum)});
}

// (x << c) >> c => x & mask, (x >> c) << c => x & mask, with logical >>
Result ShiftThereAndBack(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* inner = Lhs(hlo);
  const bool left = Is(hlo, HloOpcode::kShiftLeft);
  const HloOpcode back =
      left ? HloOpcode::kShiftRightLogical : HloOpcode::kShiftLeft;
  if (IsArithmetic(hlo) || !Is(inner, back)) return nullptr;
  const auto c1 = Amount(inner), c2 = Amount(hlo);
  const int64_t width = primitive_util::BitWidth(TypeOf(hlo));
  if (!c1.has_value() || c1 != c2 || *c1 >= width) return nullptr;
  const uint64_t ones = ~uint64_t{0} >> (64 - width);
  const uint64_t mask = left ? ones >> *c1 << *c1 : ones >> *c1;
  return context.Make(HloOpcode::kAnd, hlo->shape(),
                      {Lhs(inner), context.Integers(hlo->shape(), mask)});
}

constexpr Rule kAndOr[] = {
    ConstantToTheRight, LogicalOfSame,   LogicalOfIdentity, LogicalAbsorbed,
    LogicalOfNot,       IdempotentTwice, LogicalOfOpposite, FoldConstants,
};
constexpr Rule kXor[] = {
    ConstantToTheRight, XorOfSame, LogicalOfIdentity, XorOfOnes,
    LogicalOfNot,       XorOfNots, XorTwice,          FoldConstants,
};
constexpr Rule kNot[] = {
    NotTwice,
    NotCompare,
    NotOfDecrement,
    NotOfNots,
};
constexpr Rule kShift[] = {
    ShiftByZero, ShiftOfZero, ShiftOut, ShiftTwice, ShiftThereAndBack,
};

}  // namespace

Rules AndRules() { return kAndOr; }
Rules OrRules() { return kAndOr; }
Rules XorRules() { return kXor; }
Rules NotRules() { return kNot; }
Rules ShiftRules() { return kShift; }

}  // namespace xla::algebra
