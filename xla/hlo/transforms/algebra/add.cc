// Rules of add and subtract. Floats keep the sign of zero: x + 0.0 is not x
// for x = -0.0, but x + -0.0 and x - 0.0 are.
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// x + y => x or y, for pred
Result PredAdd(HloInstruction* hlo, RuleContext& context) {
  if (!IsPred(hlo)) return nullptr;
  return context.Make(HloOpcode::kOr, hlo->shape(), hlo->operands());
}

// x + 0 => x; for floats x + -0.0 => x
Result AddZero(HloInstruction* hlo, RuleContext&) {
  if (!IsInt(Rhs(hlo), 0) && !IsReal(Rhs(hlo), -0.0)) return nullptr;
  return Lhs(hlo);
}

// x + -y => x - y
Result AddNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (y == nullptr) return nullptr;
  return context.Make(HloOpcode::kSubtract, hlo->shape(), {Lhs(hlo), y});
}

// -x + y => y - x
Result AddToNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNegate);
  if (x == nullptr) return nullptr;
  return context.Make(HloOpcode::kSubtract, hlo->shape(), {Rhs(hlo), x});
}

// (x - y) + y => x, y + (x - y) => x, for integers
Result AddSubtracted(HloInstruction* hlo, RuleContext&) {
  if (!IsInteger(hlo)) return nullptr;
  for (int i = 0; i < 2; ++i) {
    HloInstruction* difference = hlo->mutable_operand(i);
    if (Is(difference, HloOpcode::kSubtract) &&
        Rhs(difference) == hlo->operand(1 - i)) {
      return Lhs(difference);
    }
  }
  return nullptr;
}

// (c1 - x) + c2 => (c1 + c2) - x, for integers
Result AddToDifference(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kSubtract, 1);
  if (!IsInteger(hlo) || x == nullptr) return nullptr;
  const auto c1 = SplatInt(Lhs(hlo)->operand(0));
  const auto c2 = SplatInt(Rhs(hlo));
  if (!c1.has_value() || !c2.has_value()) return nullptr;
  const uint64_t sum = static_cast<uint64_t>(*c1) + static_cast<uint64_t>(*c2);
  return context.Make(HloOpcode::kSubtract, hlo->shape(),
                      {context.Integers(hlo->shape(), sum), x});
}

// not x + 1 => -x, for integers
Result AddOneToNot(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kNot);
  if (x == nullptr || !IsInteger(hlo) || !IsInt(Rhs(hlo), 1)) return nullptr;
  return context.Make(HloOpcode::kNegate, hlo->shape(), {x});
}

// x + not x => -1, for integers
Result AddNot(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || (Arg(Rhs(hlo), HloOpcode::kNot) != Lhs(hlo) &&
                          Arg(Lhs(hlo), HloOpcode::kNot) != Rhs(hlo))) {
    return nullptr;
  }
  return context.Integers(hlo->shape(), ~uint64_t{0});
}

// a * c + b * c => (a + b) * c, and with -, for integers
Result FactorOut(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* lhs = Lhs(hlo);
  HloInstruction* rhs = Rhs(hlo);
  if (!IsInteger(hlo) || !Is(lhs, HloOpcode::kMultiply) ||
      !Is(rhs, HloOpcode::kMultiply) || !OneUse(lhs) || !OneUse(rhs)) {
    return nullptr;
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      if (!IsSame(lhs->operand(i), rhs->operand(j))) continue;
      HloInstruction* sum = context.Make(
          hlo->opcode(), hlo->shape(),
          {lhs->mutable_operand(1 - i), rhs->mutable_operand(1 - j)});
      return context.Make(HloOpcode::kMultiply, hlo->shape(),
                          {sum, lhs->mutable_operand(i)});
    }
  }
  return nullptr;
}

// x - 0 => x; for floats x - 0.0 => x
Result SubtractZero(HloInstruction* hlo, RuleContext&) {
  if (!IsInt(Rhs(hlo), 0) && !IsReal(Rhs(hlo), 0.0)) return nullptr;
  return Lhs(hlo);
}

// x - x => 0, for integers
Result SubtractSelf(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || Lhs(hlo) != Rhs(hlo)) return nullptr;
  return context.Integers(hlo->shape(), 0);
}

// 0 - x => -x; for floats -0.0 - x => -x
Result SubtractFromZero(HloInstruction* hlo, RuleContext& context) {
  if (!IsInt(Lhs(hlo), 0) && !IsReal(Lhs(hlo), -0.0)) return nullptr;
  return context.Make(HloOpcode::kNegate, hlo->shape(), {Rhs(hlo)});
}

// -1 - x => not x, for integers
Result SubtractFromAllOnes(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || !IsAllOnes(Lhs(hlo))) return nullptr;
  return context.Make(HloOpcode::kNot, hlo->shape(), {Rhs(hlo)});
}

// x - -y => x + y
Result SubtractNegated(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* y = Arg(Rhs(hlo), HloOpcode::kNegate);
  if (y == nullptr) return nullptr;
  return context.Make(HloOpcode::kAdd, hlo->shape(), {Lhs(hlo), y});
}

// x - c => x + -c, for integers
Result SubtractConstant(HloInstruction* hlo, RuleContext& context) {
  const auto c = SplatInt(Rhs(hlo));
  if (!IsInteger(hlo) || !c.has_value() || IsSplat(Lhs(hlo))) return nullptr;
  HloInstruction* negated =
      context.Integers(hlo->shape(), uint64_t{0} - static_cast<uint64_t>(*c));
  return context.Make(HloOpcode::kAdd, hlo->shape(), {Lhs(hlo), negated});
}

// (x + y) - y => x, (y + x) - y => x, for integers
Result SubtractAdded(HloInstruction* hlo, RuleContext&) {
  if (!IsInteger(hlo) || !Is(Lhs(hlo), HloOpcode::kAdd)) return nullptr;
  for (int i = 0; i < 2; ++i) {
    if (Lhs(hlo)->operand(i) == Rhs(hlo)) {
      return Lhs(hlo)->mutable_operand(1 - i);
    }
  }
  return nullptr;
}

// x - (x + y) => -y, x - (y + x) => -y, for integers
Result SubtractSum(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || !Is(Rhs(hlo), HloOpcode::kAdd)) return nullptr;
  for (int i = 0; i < 2; ++i) {
    if (Rhs(hlo)->operand(i) != Lhs(hlo)) continue;
    return context.Make(HloOpcode::kNegate, hlo->shape(),
                        {Rhs(hlo)->mutable_operand(1 - i)});
  }
  return nullptr;
}

// (x - y) - x => -y, for integers
Result SubtractFromDifference(HloInstruction* hlo, RuleContext& context) {
  if (!IsInteger(hlo) || Arg(Lhs(hlo), HloOpcode::kSubtract) != Rhs(hlo)) {
    return nullptr;
  }
  return context.Make(HloOpcode::kNegate, hlo->shape(), {Rhs(Lhs(hlo))});
}

// x - (x - y) => y, for integers
Result SubtractDifference(HloInstruction* hlo, RuleContext&) {
  if (!IsInteger(hlo) || Arg(Rhs(hlo), HloOpcode::kSubtract) != Lhs(hlo)) {
    return nullptr;
  }
  return Rhs(Rhs(hlo));
}

// c1 - (x + c2) => (c1 - c2) - x, for integers
Result SubtractSumFromConstant(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Rhs(hlo), HloOpcode::kAdd);
  const auto c1 = SplatInt(Lhs(hlo));
  if (!IsInteger(hlo) || x == nullptr || !c1.has_value()) return nullptr;
  const auto c2 = SplatInt(Rhs(Rhs(hlo)));
  if (!c2.has_value()) return nullptr;
  const uint64_t c = static_cast<uint64_t>(*c1) - static_cast<uint64_t>(*c2);
  return context.Make(HloOpcode::kSubtract, hlo->shape(),
                      {context.Integers(hlo->shape(), c), x});
}

// c1 - (c2 - x) => x + (c1 - c2), for integers
Result SubtractDifferenceFromConstant(HloInstruction* hlo,
                                      RuleContext& context) {
  HloInstruction* x = Arg(Rhs(hlo), HloOpcode::kSubtract, 1);
  const auto c1 = SplatInt(Lhs(hlo));
  if (!IsInteger(hlo) || x == nullptr || !c1.has_value()) return nullptr;
  const auto c2 = SplatInt(Lhs(Rhs(hlo)));
  if (!c2.has_value()) return nullptr;
  const uint64_t c = static_cast<uint64_t>(*c1) - static_cast<uint64_t>(*c2);
  return context.Make(HloOpcode::kAdd, hlo->shape(),
                      {x, context.Integers(hlo->shape(), c)});
}

constexpr Rule kAdd[] = {
    ConstantToTheRight, PredAdd,       AddZero,       AddNegated,
    AddToNegated,       AddSubtracted, FoldConstants, AddToDifference,
    AddOneToNot,        AddNot,        FactorOut,
};
constexpr Rule kSubtract[] = {
    SubtractZero,
    SubtractSelf,
    SubtractFromZero,
    SubtractFromAllOnes,
    SubtractNegated,
    SubtractConstant,
    SubtractAdded,
    SubtractSum,
    SubtractFromDifference,
    SubtractDifference,
    SubtractSumFromConstant,
    SubtractDifferenceFromConstant,
    FactorOut,
};

}  // namespace

Rules AddRules() { return kAdd; }
Rules SubtractRules() { return kSubtract; }

}  // namespace xla::algebra
