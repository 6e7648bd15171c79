// Source of the 64-bit form: Knuth, TAOCP 4.3.1, algorithm M with two digits.
#include "xla/hlo/transforms/expand/mulhi_expander.h"

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

Hlo Shift(HloBuilder& emit, HloOpcode opcode, Hlo x, int64_t bits) {
  return emit.Binary(opcode, x, emit.IntegerLike(x, bits));
}

// Multiplies u64.
Hlo MulhiOfHalves(HloBuilder& emit, Hlo x, Hlo y) {
  auto low = [&](Hlo v) {
    return emit.And(v, emit.IntegerLike(v, 0xffffffff));
  };
  auto high = [&](Hlo v) {
    return Shift(emit, HloOpcode::kShiftRightLogical, v, 32);
  };
  Hlo x0 = low(x), x1 = high(x), y0 = low(y), y1 = high(y);
  Hlo carry = emit.Plus(emit.Times(x1, y0), high(emit.Times(x0, y0)));
  Hlo middle = emit.Plus(emit.Times(x0, y1), low(carry));
  return emit.Plus(emit.Plus(emit.Times(x1, y1), high(carry)), high(middle));
}

absl::Status ExpandMulhi(Hlo hlo) {
  HloBuilder emit(hlo);
  Hlo x = hlo->mutable_operand(0), y = hlo->mutable_operand(1);
  const PrimitiveType type = hlo->shape().element_type();
  const bool is_signed = primitive_util::IsSignedIntegralType(type);
  const int width = primitive_util::BitWidth(type);
  if (width < 64) {
    const PrimitiveType wide = is_signed ? S64 : U64;
    Hlo wide_x = emit.Convert(x, wide), wide_y = emit.Convert(y, wide);
    Hlo product = emit.Times(wide_x, wide_y);
    return emit.ReplaceSource(
        emit.Convert(Shift(emit,
                           is_signed ? HloOpcode::kShiftRightArithmetic
                                     : HloOpcode::kShiftRightLogical,
                           product, width),
                     type));
  }
  Hlo high = MulhiOfHalves(emit, emit.BitcastConvert(x, U64),
                           emit.BitcastConvert(y, U64));
  if (!is_signed) return emit.ReplaceSource(high);
  // As an unsigned number x is x + 2^64 where x < 0.
  Hlo result = emit.BitcastConvert(high, S64);
  auto sign = [&](Hlo v) {
    return Shift(emit, HloOpcode::kShiftRightArithmetic, v, 63);
  };
  result = emit.Minus(result, emit.And(sign(x), y));
  return emit.ReplaceSource(emit.Minus(result, emit.And(sign(y), x)));
}

}  // namespace

absl::StatusOr<bool> MulhiExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kMulhi || hlo->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(ExpandMulhi(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
