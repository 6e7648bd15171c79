// Makes powers of two from exponent bits; scaling by them is exact.
#include "xla/hlo/transforms/expand/stochastic_convert_decomposer.h"

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

constexpr int kBias = 1023;

// Returns x * 2^exponent, s64, in two steps, since the power alone may
// overflow.
Hlo Scale(HloBuilder& emit, Hlo x, Hlo exponent) {
  auto power = [&](Hlo e) {
    Hlo biased = emit.Plus(e, emit.IntegerLike(e, kBias));
    return emit.BitcastConvert(emit.Binary(HloOpcode::kShiftLeft, biased,
                                           emit.IntegerLike(biased, 52)),
                               F64);
  };
  Hlo half = emit.Binary(HloOpcode::kShiftRightArithmetic, exponent,
                         emit.IntegerLike(exponent, 1));
  Hlo rest = emit.Minus(exponent, half);
  return emit.Times(emit.Times(x, power(half)), power(rest));
}

// Returns the exponent of the distance between neighbours of `magnitude` in
// `type`.
Hlo UnitOf(HloBuilder& emit, Hlo magnitude, PrimitiveType type) {
  Hlo bits = emit.BitcastConvert(magnitude, S64);
  Hlo biased = emit.Binary(HloOpcode::kShiftRightLogical, bits,
                           emit.IntegerLike(bits, 52));
  Hlo exponent = emit.Minus(biased, emit.IntegerLike(biased, kBias));
  const int smallest = primitive_util::UnderflowExponent(type) - 1;
  const int mantissa = primitive_util::SignificandWidth(type) - 1;
  Hlo clamped = emit.Binary(HloOpcode::kMaximum, exponent,
                            emit.IntegerLike(exponent, smallest));
  return emit.Minus(clamped, emit.IntegerLike(clamped, mantissa));
}

absl::Status ExpandStochasticConvert(Hlo hlo) {
  HloBuilder emit(hlo);
  const PrimitiveType type = hlo->shape().element_type();
  const int width =
      primitive_util::BitWidth(hlo->operand(0)->shape().element_type());
  Hlo x = emit.Convert(hlo->mutable_operand(0), F64);
  Hlo random = emit.Convert(hlo->mutable_operand(1), U64);
  Hlo magnitude = emit.Unary(HloOpcode::kAbs, x);
  Hlo unit = nullptr;
  Hlo scaled = magnitude;
  if (primitive_util::IsFloatingPointType(type)) {
    unit = UnitOf(emit, magnitude, type);
    scaled = Scale(emit, magnitude, emit.Unary(HloOpcode::kNegate, unit));
  }
  Hlo whole = emit.Unary(HloOpcode::kFloor, scaled);
  Hlo part = emit.Minus(scaled, whole);
  Hlo threshold = emit.Convert(
      emit.Times(part, emit.NumberLike(part, width == 64   ? 0x1p64
                                             : width == 32 ? 0x1p32
                                             : width == 16 ? 0x1p16
                                                           : 0x1p8)),
      U64);
  Hlo up = emit.Convert(
      emit.Compare(ComparisonDirection::kLt, random, threshold), F64);
  Hlo rounded = emit.Plus(whole, up);
  if (unit != nullptr) rounded = Scale(emit, rounded, unit);
  Hlo is_negative =
      emit.Compare(ComparisonDirection::kLt, x, emit.NumberLike(x, 0));
  Hlo result = emit.Select(is_negative, emit.Unary(HloOpcode::kNegate, rounded),
                           rounded);
  // Zeros, infinities and NaN are exact.
  Hlo is_inexact = emit.And(
      emit.Add(HloOpcode::kIsFinite,
               emit.MakeShape(PRED, x->shape().dimensions()), {x}),
      emit.Compare(ComparisonDirection::kNe, x, emit.NumberLike(x, 0)));
  return emit.ReplaceSource(
      emit.Convert(emit.Select(is_inexact, result, x), type));
}

}  // namespace

absl::StatusOr<bool> StochasticConvertDecomposer::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kStochasticConvert ||
          hlo->shape().is_dynamic()) {
        continue;
      }
      TF_RETURN_IF_ERROR(ExpandStochasticConvert(hlo));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
