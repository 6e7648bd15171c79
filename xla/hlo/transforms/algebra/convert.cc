// Rules of convert, bitcast-convert and reduce-precision.
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_other.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// convert(x) => x, to the same type
Result ConvertToSame(HloInstruction* hlo, RuleContext&) {
  return TypeOf(hlo) == TypeOf(Lhs(hlo)) ? Lhs(hlo) : nullptr;
}

// convert(convert(x)) => convert(x), where the first one keeps every value
Result ConvertTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kConvert);
  if (x == nullptr ||
      !primitive_util::CastPreservesValues(TypeOf(x), TypeOf(Lhs(hlo)))) {
    return nullptr;
  }
  // Integers wrap around where floats saturate.
  if (IsInteger(x) && !IsInteger(Lhs(hlo)) && IsInteger(hlo) &&
      !primitive_util::CastPreservesValues(TypeOf(x), TypeOf(hlo))) {
    return nullptr;
  }
  if (x->shape() == hlo->shape()) return x;
  return context.Make(HloOpcode::kConvert, hlo->shape(), {x});
}

// convert(iota) => iota, from integers to wider ones
Result ConvertIota(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* iota = Lhs(hlo);
  if (!Is(iota, HloOpcode::kIota) || !IsInteger(hlo) || !IsInteger(iota) ||
      !primitive_util::CastPreservesValues(TypeOf(iota), TypeOf(hlo)) ||
      primitive_util::BitWidth(TypeOf(iota)) < 32) {
    return nullptr;
  }
  return context.Make(HloOpcode::kIota, hlo->shape(), {}, iota->raw_attrs());
}

// bitcast-convert(x) => x, to the same type
Result BitcastConvertToSame(HloInstruction* hlo, RuleContext&) {
  return TypeOf(hlo) == TypeOf(Lhs(hlo)) ? Lhs(hlo) : nullptr;
}

// bitcast-convert(bitcast-convert(x)) => x or bitcast-convert(x)
Result BitcastConvertTwice(HloInstruction* hlo, RuleContext& context) {
  HloInstruction* x = Arg(Lhs(hlo), HloOpcode::kBitcastConvert);
  if (x == nullptr) return nullptr;
  if (x->shape() == hlo->shape()) return x;
  // The widths are equal, so that no dimension is added or removed.
  if (!ShapeUtil::SameDimensions(x->shape(), hlo->shape()) ||
      !ShapeUtil::SameDimensions(x->shape(), Lhs(hlo)->shape())) {
    return nullptr;
  }
  return context.Make(HloOpcode::kBitcastConvert, hlo->shape(), {x});
}

// reduce-precision(x) => x, to a format that holds all of x
Result ReducePrecisionToWider(HloInstruction* hlo, RuleContext&) {
  const auto& attrs = hlo->attrs<ReducePrecisionAttrs>();
  if (!IsIeeeFloat(hlo) ||
      attrs.exponent_bits < primitive_util::ExponentWidth(TypeOf(hlo)) ||
      attrs.mantissa_bits < primitive_util::SignificandWidth(TypeOf(hlo)) - 1) {
    return nullptr;
  }
  return Lhs(hlo);
}

// reduce-precision(reduce-precision(x)) => reduce-precision(x), to one format
Result ReducePrecisionTwice(HloInstruction* hlo, RuleContext&) {
  if (!Is(Lhs(hlo), HloOpcode::kReducePrecision)) return nullptr;
  const auto& a = hlo->attrs<ReducePrecisionAttrs>();
  const auto& b = Lhs(hlo)->attrs<ReducePrecisionAttrs>();
  const bool same =
      a.exponent_bits == b.exponent_bits && a.mantissa_bits == b.mantissa_bits;
  return same ? Lhs(hlo) : nullptr;
}

constexpr Rule kConvert[] = {ConvertToSame, ConvertTwice, ConvertIota};
constexpr Rule kBitcastConvert[] = {BitcastConvertToSame, BitcastConvertTwice};
constexpr Rule kReducePrecision[] = {ReducePrecisionToWider,
                                     ReducePrecisionTwice};

}  // namespace

Rules ConvertRules() { return kConvert; }
Rules BitcastConvertRules() { return kBitcastConvert; }
Rules ReducePrecisionRules() { return kReducePrecision; }

}  // namespace xla::algebra
