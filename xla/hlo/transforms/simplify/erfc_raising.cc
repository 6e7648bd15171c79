// Writes the expansion down once more, on a parameter in place of x, and
// compares instruction by instruction.
#include "xla/hlo/transforms/simplify/erfc_raising.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Coefficients of S. Moshier's Cephes library (ndtrf.c), highest power first.
// erfc(x) = 1 - x T(x^2) for |x| < 1, else exp(-x^2) / |x| times P(1 / x^2) for
// |x| < 2 and R(1 / x^2) beyond.
constexpr double kT[] = {7.853861353153693e-5, -8.010193625184903e-4,
                         5.188327685732524e-3, -2.685381193529856e-2,
                         1.128358514861418e-1, -3.761262582423300e-1,
                         1.128379165726710e+0};
constexpr double kP[] = {
    2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
    -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
    3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
constexpr double kR[] = {-1.047766399936249e+1, 1.297719955372516e+1,
                         -7.495518717768503e+0, 2.921019019210786e+0,
                         -1.015265279202700e+0, 4.218463358204948e-1,
                         -2.820767439740514e-1, 5.641895067754075e-1};
// The logarithm of the greatest f32, beyond which exp(x^2) is infinite.
constexpr double kMaxLog = 88.72283905206835;

Hlo Horner(HloBuilder& emit, Hlo x, absl::Span<const double> coefficients) {
  Hlo sum = emit.NumberLike(x, coefficients[0]);
  for (const double c : coefficients.subspan(1)) {
    Hlo product = emit.Times(sum, x);
    sum = emit.Plus(product, emit.NumberLike(x, c));
  }
  return sum;
}

Hlo Expansion(HloBuilder& emit, Hlo x) {
  using enum ComparisonDirection;
  auto number = [&](double value) { return emit.NumberLike(x, value); };
  Hlo square = emit.Times(x, x);
  Hlo abs = emit.Unary(HloOpcode::kAbs, x);

  Hlo exponent = emit.Unary(HloOpcode::kNegate, square);
  Hlo scale = emit.Times(emit.Unary(HloOpcode::kExp, exponent),
                         emit.Over(number(1), abs));
  Hlo y = emit.Over(number(1), square);
  Hlo series = emit.Select(emit.Compare(kLt, abs, number(2)),
                           Horner(emit, y, kP), Horner(emit, y, kR));
  Hlo positive = emit.Select(emit.Compare(kLt, exponent, number(-kMaxLog)),
                             number(0), emit.Times(scale, series));
  Hlo large = emit.Select(emit.Compare(kLt, x, number(0)),
                          emit.Minus(number(2), positive), positive);

  Hlo small = emit.Minus(number(1), emit.Times(x, Horner(emit, square, kT)));
  return emit.Select(emit.Compare(kLt, abs, number(1)), small, large);
}

// Compares instructions with those of a pattern.
class PatternMatch {
 public:
  // The pattern is a formula of `parameter`, which stands for `value`.
  PatternMatch(const HloInstruction* parameter, const HloInstruction* value)
      : parameter_(parameter), value_(value) {}

  bool Matches(const HloInstruction* pattern, const HloInstruction* hlo) {
    if (pattern == parameter_) return hlo == value_;
    if (seen_.contains({pattern, hlo})) return true;
    const bool same =
        !hlo->HasControlDependencies() &&
        pattern->IdenticalUnder(
            *hlo,
            [&](const HloInstruction* a, const HloInstruction* b) {
              return Matches(a, b);
            },
            [](const HloComputation*, const HloComputation*) { return false; });
    // A difference ends the comparison, so that only equal pairs come again.
    if (same) seen_.insert({pattern, hlo});
    return same;
  }

 private:
  const HloInstruction* parameter_;
  const HloInstruction* value_;
  absl::flat_hash_set<std::pair<const HloInstruction*, const HloInstruction*>>
      seen_;
};

// Returns x if `hlo` may be the expansion of erfc(x), whose root is
// select(|x| < 1, .., ..); otherwise null.
Hlo ArgumentOfErfc(Hlo hlo) {
  if (hlo->opcode() != HloOpcode::kSelect ||
      hlo->shape().element_type() != F32 || !hlo->shape().is_static() ||
      hlo->operand(0)->opcode() != HloOpcode::kCompare ||
      hlo->operand(1)->opcode() != HloOpcode::kSubtract ||
      hlo->operand(2)->opcode() != HloOpcode::kSelect ||
      hlo->operand(0)->operand(0)->opcode() != HloOpcode::kAbs) {
    return nullptr;
  }
  return hlo->mutable_operand(0)->mutable_operand(0)->mutable_operand(0);
}

bool IsExpansion(const HloInstruction& hlo, const HloInstruction& x) {
  HloComputation formula("erfc");
  HloBuilder emit(&formula);
  Hlo parameter = formula.AddInstruction(
      HloInstruction::CreateParameter(0, x.shape(), "x"));
  Hlo root = Expansion(emit, parameter);
  return emit.status().ok() && PatternMatch(parameter, &x).Matches(root, &hlo);
}

}  // namespace

absl::StatusOr<bool> ErfcRaising::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      Hlo x = ArgumentOfErfc(hlo);
      if (x == nullptr || !IsExpansion(*hlo, *x)) continue;
      HloBuilder emit(hlo);
      TF_RETURN_IF_ERROR(emit.ReplaceSource(emit.Unary(HloOpcode::kErfc, x)));
      changed = true;
    }
  }
  return changed;
}

absl::StatusOr<bool> ErfcExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    bool expanded = false;
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kErfc ||
          hlo->shape().element_type() != F32 || !hlo->shape().is_static()) {
        continue;
      }
      HloBuilder emit(hlo);
      TF_RETURN_IF_ERROR(
          emit.ReplaceSource(Expansion(emit, hlo->mutable_operand(0))));
      expanded = true;
    }
    if (!expanded) continue;
    // In a schedule, operands come first.
    TF_RETURN_IF_ERROR(computation->SetInstructionOrder(
        computation->MakeInstructionPostOrder()));
    changed = true;
  }
  return changed;
}

}  // namespace xla
