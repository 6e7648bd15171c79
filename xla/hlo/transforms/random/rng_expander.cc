// Makes numbers of each kind from 64-bit words.
#include "xla/hlo/transforms/random/rng_expander.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/ops/random.h"
#include "xla/hlo/transforms/random/random_bits.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Dims = std::vector<int64_t>;

class Expander {
 public:
  explicit Expander(Hlo hlo)
      : hlo_(hlo),
        emit_(hlo),
        type_(hlo->shape().element_type()),
        sizes_(hlo->shape().dimensions().begin(),
               hlo->shape().dimensions().end()),
        n_(ShapeUtil::ElementsIn(hlo->shape())) {}

  absl::Status Run() {
    CustomCallAttrs call;
    call.custom_call_target = std::string(kRandomKeyTarget);
    call.custom_call_has_side_effect = true;
    key_ = emit_.Add(HloOpcode::kCustomCall, emit_.MakeShape(U64, {}), {},
                     std::move(call));
    Hlo zero = emit_.Integer(U64, 0);
    Hlo words = EmitPhiloxWords64(emit_, n_, zero, zero, key_);
    Hlo result;
    if (!primitive_util::IsFloatingPointType(type_)) {
      result = Integers(words);
    } else if (hlo_->attrs<RngAttrs>().distribution == RNG_NORMAL) {
      result = Normal(words);
    } else {
      result = Uniform(words);
    }
    return emit_.ReplaceSource(emit_.Reshape(result, sizes_));
  }

 private:
  Hlo Everywhere(Hlo scalar) { return emit_.Splat(scalar, {n_}); }
  Hlo Operand(int64_t i, PrimitiveType type) {
    return emit_.Convert(hlo_->mutable_operand(i), type);
  }

  // Returns f64 in [0, 1), with 53 random bits.
  Hlo UnitInterval(Hlo words) {
    Hlo bits = emit_.Binary(HloOpcode::kShiftRightLogical, words,
                            emit_.IntegerLike(words, 11));
    Hlo number = emit_.Convert(bits, F64);
    return emit_.Times(number, emit_.NumberLike(number, 0x1p-53));
  }

  Hlo Normal(Hlo words) {
    // The second words use counters that no other words use.
    Hlo count = emit_.Iota(U64, {n_}, 0);
    const auto second =
        EmitPhilox(emit_, count, emit_.IntegerLike(count, 1), key_);
    Hlo u0 = UnitInterval(words);
    Hlo u1 = UnitInterval(JoinWords(emit_, second[0], second[1]));
    Hlo log =
        emit_.Unary(HloOpcode::kLog1p, emit_.Unary(HloOpcode::kNegate, u0));
    Hlo radius = emit_.Unary(HloOpcode::kSqrt,
                             emit_.Times(emit_.NumberLike(log, -2), log));
    Hlo angle = emit_.Times(emit_.NumberLike(u1, 6.283185307179586), u1);
    Hlo standard = emit_.Times(radius, emit_.Unary(HloOpcode::kCos, angle));
    Hlo scaled = emit_.Times(Everywhere(Operand(1, F64)), standard);
    return emit_.Convert(emit_.Plus(Everywhere(Operand(0, F64)), scaled),
                         type_);
  }

  Hlo Uniform(Hlo words) {
    Hlo a = Operand(0, F64), b = Operand(1, F64);
    Hlo offset =
        emit_.Times(Everywhere(emit_.Minus(b, a)), UnitInterval(words));
    Hlo x = emit_.Convert(emit_.Plus(Everywhere(a), offset), type_);
    // Rounding may reach b, which is outside the interval: use a instead.
    const PrimitiveType bits = primitive_util::UnsignedIntegralTypeForBitWidth(
        primitive_util::BitWidth(type_));
    Hlo end = Everywhere(hlo_->mutable_operand(1));
    Hlo is_end =
        emit_.Compare(ComparisonDirection::kEq, emit_.BitcastConvert(x, bits),
                      emit_.BitcastConvert(end, bits));
    Hlo is_interval = emit_.Compare(ComparisonDirection::kGt, b, a);
    return emit_.Select(emit_.And(is_end, Everywhere(is_interval)),
                        Everywhere(hlo_->mutable_operand(0)), x);
  }

  Hlo Integers(Hlo words) {
    if (type_ == PRED) {
      Hlo a = hlo_->mutable_operand(0), b = hlo_->mutable_operand(1);
      Hlo never = emit_.And(emit_.Unary(HloOpcode::kNot, a), b);
      Hlo bit = emit_.Compare(ComparisonDirection::kNe,
                              emit_.And(words, emit_.IntegerLike(words, 1)),
                              emit_.IntegerLike(words, 0));
      return emit_.And(bit, Everywhere(emit_.Unary(HloOpcode::kNot, never)));
    }
    const PrimitiveType wide =
        primitive_util::IsSignedIntegralType(type_) ? S64 : U64;
    Hlo a = emit_.BitcastConvert(Operand(0, wide), U64);
    Hlo b = emit_.BitcastConvert(Operand(1, wide), U64);
    Hlo range = emit_.Minus(b, a);
    Hlo is_empty =
        emit_.Compare(ComparisonDirection::kEq, range, emit_.Integer(U64, 0));
    Hlo rest = emit_.Binary(HloOpcode::kRemainder, words, Everywhere(range));
    Hlo offset = emit_.Select(Everywhere(is_empty), words, rest);
    Hlo sum = emit_.Plus(Everywhere(a), offset);
    const PrimitiveType bits = primitive_util::UnsignedIntegralTypeForBitWidth(
        primitive_util::BitWidth(type_));
    return emit_.BitcastConvert(emit_.Convert(sum, bits), type_);
  }

  Hlo hlo_;
  HloBuilder emit_;
  const PrimitiveType type_;
  const Dims sizes_;
  const int64_t n_;
  Hlo key_ = nullptr;
};

}  // namespace

absl::StatusOr<bool> RngExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kRng || hlo->shape().is_dynamic()) {
        continue;
      }
      const PrimitiveType type = hlo->shape().element_type();
      if (type != PRED &&
          primitive_util::UnsignedIntegralTypeForBitWidth(
              primitive_util::BitWidth(type)) == PRIMITIVE_TYPE_INVALID) {
        return absl::UnimplementedError(absl::StrCat(
            "rng: no numbers of ", ShapeUtil::HumanString(hlo->shape()),
            " (instruction ", hlo->name(), ")"));
      }
      TF_RETURN_IF_ERROR(Expander(hlo).Run());
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
