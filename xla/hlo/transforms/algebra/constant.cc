// Rules of constant and iota, and of any op whose result has no elements.
#include <utility>

#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/movement.h"
#include "xla/hlo/ops/movement/reshape.h"
#include "xla/hlo/transforms/algebra/rule.h"

namespace xla::algebra {
namespace {

// Returns true for ops that only compute an array.
bool OnlyComputes(const HloInstruction* hlo) {
  const HloOpcode opcode = hlo->opcode();
  switch (hlo->def().cost_class) {
    case CostClass::kMovement:
      if (opcode == HloOpcode::kBroadcast) return !IsSplat(hlo);
      return MovesElements(opcode) || opcode == HloOpcode::kCopy ||
             opcode == HloOpcode::kBitcastConvert;
    case XLA_ELEMENTWISE_COST_CLASSES:
    case CostClass::kApplication:
    case CostClass::kScatteredUpdate:
      return true;
    case CostClass::kContraction:
      return opcode == HloOpcode::kDot || opcode == HloOpcode::kConvolution;
    case CostClass::kAlgorithm:
      return opcode == HloOpcode::kSort;
    case CostClass::kNone:
    case CostClass::kControl:
    case CostClass::kFusion:
    case CostClass::kDevice:
    case CostClass::kForeign:
      return false;
  }
  return false;
}

// f(x) => broadcast(zero), where the result has no elements
Result NoElements(HloInstruction* hlo, RuleContext& context) {
  if (!ShapeUtil::IsZeroElementArray(hlo->shape()) || !OnlyComputes(hlo)) {
    return nullptr;
  }
  Literal zero(ShapeUtil::MakeScalarShape(TypeOf(hlo)));
  return context.Splat(hlo->shape(), context.Constant(std::move(zero)));
}

// constant({c, c, ...}) => broadcast(c)
Result ConstantOfOneValue(HloInstruction* hlo, RuleContext& context) {
  if (!hlo->shape().IsArray() || hlo->shape().rank() == 0 ||
      ShapeUtil::IsZeroElementArray(hlo->shape()) ||
      !hlo->literal().IsAllFirst()) {
    return nullptr;
  }
  return context.Splat(
      hlo->shape(),
      context.Constant(LiteralUtil::GetFirstScalarLiteral(hlo->literal())));
}

// iota => 0, along a dimension of size 1
Result IotaOfOne(HloInstruction* hlo, RuleContext& context) {
  const int64_t d = hlo->attrs<IotaAttrs>().iota_dimension;
  if (hlo->shape().dimensions(d) != 1) return nullptr;
  Literal zero(ShapeUtil::MakeScalarShape(TypeOf(hlo)));
  return context.Splat(hlo->shape(), context.Constant(std::move(zero)));
}

constexpr Rule kAny[] = {NoElements};
constexpr Rule kConstant[] = {ConstantOfOneValue};
constexpr Rule kIota[] = {IotaOfOne};

}  // namespace

Rules RulesForAny() { return kAny; }
Rules ConstantRules() { return kConstant; }
Rules IotaRules() { return kIota; }

}  // namespace xla::algebra
