// Ops that move elements commute with any reduction, linear ones with sums.
#include "xla/hlo/transforms/partition_rules/partial_values.h"

#include "xla/core/primitive_util.h"
#include "xla/hlo/analysis/reducers.h"

namespace xla {
namespace {

struct PartialOperands {
  // Operands that must all be partial: both of an add.
  std::vector<int64_t> together;
  // Operands of which exactly one may be: either of a product.
  std::vector<int64_t> one_of;
};

PartialOperands AllOperands(const HloInstruction& hlo) {
  PartialOperands result;
  for (int64_t i = 0; i < hlo.operand_count(); ++i) {
    result.together.push_back(i);
  }
  return result;
}

bool IsFloatOrComplex(PrimitiveType type) {
  return primitive_util::IsFloatingPointType(type) ||
         primitive_util::IsComplexType(type);
}

// Whether the conversion changes no value, so that a sum may follow it. Sums of
// integers could overflow in the type before.
bool IsExact(PrimitiveType from, PrimitiveType to) {
  return IsFloatOrComplex(from) && IsFloatOrComplex(to) &&
         primitive_util::CastPreservesValues(from, to);
}

bool IsLinearReduction(const HloInstruction& hlo, HloOpcode reducer) {
  return hlo.operand_count() == 2 && SummingOp(hlo) == reducer;
}

bool AddsUpdates(const HloInstruction& scatter) {
  return scatter.operand_count() == 3 &&
         OneOpOf(*scatter.to_apply()) == HloOpcode::kAdd;
}

// Operands of ops that commute with sums but not with other reductions.
PartialOperands OperandsOfLinear(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAdd:
    case HloOpcode::kSubtract:
    case HloOpcode::kComplex:
    case HloOpcode::kNegate:
    case HloOpcode::kReal:
    case HloOpcode::kImag:
      return AllOperands(hlo);
    case HloOpcode::kConvert:
      if (!IsExact(hlo.operand(0)->shape().element_type(),
                   hlo.shape().element_type())) {
        return {};
      }
      return AllOperands(hlo);
    case HloOpcode::kMultiply:
    case HloOpcode::kDot:
    case HloOpcode::kRaggedDot:
    case HloOpcode::kConvolution:
      return {{}, {0, 1}};
    case HloOpcode::kDivide:
      if (!IsFloatOrComplex(hlo.shape().element_type())) return {};
      return {{}, {0}};
    case HloOpcode::kFft:
      return AllOperands(hlo);
    case HloOpcode::kTriangularSolve:
      return {{}, {1}};
    case HloOpcode::kScatter:
      if (!AddsUpdates(hlo)) return {};
      return {{0, 2}, {}};
    default:
      return {};
  }
}

// Operands whose partial values may be combined by `reducer` later.
PartialOperands PartialOperandsOf(const HloInstruction& hlo,
                                  HloOpcode reducer) {
  switch (hlo.opcode()) {
    case HloOpcode::kCopy:
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
    case HloOpcode::kBroadcast:
    case HloOpcode::kSlice:
    case HloOpcode::kReverse:
    case HloOpcode::kConcatenate:
    case HloOpcode::kPad:
      return AllOperands(hlo);
    case HloOpcode::kSelect:
      return {{1, 2}, {}};
    case HloOpcode::kDynamicSlice:
    case HloOpcode::kGather:
      return {{0}, {}};
    case HloOpcode::kDynamicUpdateSlice:
      return {{0, 1}, {}};
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
      return IsLinearReduction(hlo, reducer) ? AllOperands(hlo)
                                             : PartialOperands{};
    default:
      break;
  }
  if (reducer == HloOpcode::kAdd) return OperandsOfLinear(hlo);
  return hlo.opcode() == reducer ? AllOperands(hlo) : PartialOperands{};
}

}  // namespace

std::vector<bool> OperandsToKeepPartial(const HloInstruction& hlo,
                                        HloOpcode reducer,
                                        const std::vector<bool>& are_partial) {
  const PartialOperands candidates = PartialOperandsOf(hlo, reducer);
  std::vector<bool> kept(are_partial.size());
  for (const int64_t i : candidates.together) {
    if (!are_partial[i]) continue;
    for (const int64_t other : candidates.together) kept[other] = true;
    return kept;
  }
  for (const int64_t i : candidates.one_of) {
    if (!are_partial[i]) continue;
    kept[i] = true;
    return kept;
  }
  return {};
}

HloOpcode ReducerOf(const MeshSharding& sharding, PrimitiveType type) {
  switch (sharding.unreduced_kind) {
    case UnreducedKind::kMax:
      return HloOpcode::kMaximum;
    case UnreducedKind::kMin:
      return HloOpcode::kMinimum;
    case UnreducedKind::kSum:
      break;
  }
  return type == PRED ? HloOpcode::kOr : HloOpcode::kAdd;
}

void SetSharding(PartitionedArray& array, const MeshSharding& sharding) {
  array.sharding = sharding;
  if (!sharding.unreduced.empty() && array.shape.IsArray()) {
    array.reducer = ReducerOf(sharding, array.shape.element_type());
  }
}

}  // namespace xla
