// One formula per op.
#include "xla/hlo/transforms/expand/complex_order_expander.h"

#include "xla/base/status_macros.h"
#include "xla/core/primitive_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/elementwise/elementwise_binary.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;
using Direction = ComparisonDirection;

Hlo PartOf(HloBuilder& emit, HloOpcode opcode, Hlo z) {
  const PrimitiveType type =
      primitive_util::ComplexComponentType(z->shape().element_type());
  return emit.Add(opcode, emit.MakeShape(type, z->shape().dimensions()), {z});
}

Hlo CompareParts(HloBuilder& emit, HloOpcode part, Direction direction, Hlo a,
                 Hlo b) {
  return emit.Compare(direction, PartOf(emit, part, a), PartOf(emit, part, b));
}

Hlo Compare(HloBuilder& emit, Direction direction, Hlo a, Hlo b) {
  Hlo real = CompareParts(emit, HloOpcode::kReal, direction, a, b);
  if (direction == Direction::kLe || direction == Direction::kGe) return real;
  Hlo same = CompareParts(emit, HloOpcode::kReal, Direction::kEq, a, b);
  Hlo imag = CompareParts(emit, HloOpcode::kImag, direction, a, b);
  return emit.Binary(HloOpcode::kOr, real, emit.And(same, imag));
}

Hlo Larger(HloBuilder& emit, Hlo a, Hlo b) {
  return emit.Select(Compare(emit, Direction::kGe, a, b), a, b);
}

Hlo Smaller(HloBuilder& emit, Hlo a, Hlo b) {
  return emit.Select(Compare(emit, Direction::kLe, a, b), a, b);
}

// Returns a bound of clamp, which may be a scalar, in `shape`.
Hlo Bound(HloBuilder& emit, Hlo bound, const Shape& shape) {
  return ShapeUtil::IsScalar(bound->shape())
             ? emit.Splat(bound, shape.dimensions())
             : bound;
}

// Returns `hlo` in terms of real numbers; null if it does not order numbers.
Hlo Expanded(HloBuilder& emit, Hlo hlo) {
  Hlo a = hlo->mutable_operand(0);
  Hlo b = hlo->mutable_operand(1);
  switch (hlo->opcode()) {
    case HloOpcode::kMaximum:
      return Larger(emit, a, b);
    case HloOpcode::kMinimum:
      return Smaller(emit, a, b);
    case HloOpcode::kClamp:
      return Smaller(emit, Larger(emit, Bound(emit, a, b->shape()), b),
                     Bound(emit, hlo->mutable_operand(2), b->shape()));
    case HloOpcode::kCompare: {
      const Direction direction = hlo->attrs<CompareAttrs>().direction;
      if (direction == Direction::kEq || direction == Direction::kNe) {
        return nullptr;
      }
      return Compare(emit, direction, a, b);
    }
    default:
      return nullptr;
  }
}

bool MayOrder(HloOpcode opcode) {
  return opcode == HloOpcode::kMaximum || opcode == HloOpcode::kMinimum ||
         opcode == HloOpcode::kClamp || opcode == HloOpcode::kCompare;
}

}  // namespace

absl::StatusOr<bool> ComplexOrderExpander::RunImpl(HloModule* module) {
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (!MayOrder(hlo->opcode()) || hlo->shape().is_dynamic() ||
          !primitive_util::IsComplexType(
              hlo->operand(1)->shape().element_type())) {
        continue;
      }
      HloBuilder emit(hlo);
      Hlo result = Expanded(emit, hlo);
      if (result == nullptr) continue;
      TF_RETURN_IF_ERROR(emit.ReplaceSource(result));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
