// Visits each element-wise op once, operands first, so that a moved op meets
// the next one of a chain.
#include "xla/hlo/transforms/simplify/reshape_mover.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/movement/reshape.h"

namespace xla {
namespace {

bool IsMovement(const HloInstruction* x) {
  switch (x->opcode()) {
    case HloOpcode::kReshape:
    case HloOpcode::kTranspose:
    case HloOpcode::kReverse:
    case HloOpcode::kBroadcast:
      return true;
    default:
      return false;
  }
}

bool IsScalarBroadcast(const HloInstruction* x) {
  return x->opcode() == HloOpcode::kBroadcast &&
         ShapeUtil::IsScalar(x->operand(0)->shape());
}

bool HasDefaultLayout(const HloInstruction* x) {
  const Shape& shape = x->shape();
  return shape.IsArray() && shape.is_static() && shape.has_layout() &&
         shape.layout() == LayoutUtil::GetDefaultLayoutForShape(shape);
}

bool IsCandidate(const HloInstruction* hlo) {
  if (!hlo->IsElementwiseOp() || hlo->operand_count() == 0 ||
      hlo->opcode() == HloOpcode::kMap || hlo->opcode() == HloOpcode::kCopy ||
      hlo->HasControlDependencies() || hlo->has_sharding() ||
      !HasDefaultLayout(hlo)) {
    return false;
  }
  return std::all_of(hlo->operands().begin(), hlo->operands().end(),
                     HasDefaultLayout);
}

// Returns whether both move the elements of arrays of equal sizes in the same
// way.
bool SameMovement(const HloInstruction* a, const HloInstruction* b) {
  return a->opcode() == b->opcode() &&
         ShapeUtil::SameDimensions(a->shape(), b->shape()) &&
         ShapeUtil::SameDimensions(a->operand(0)->shape(),
                                   b->operand(0)->shape()) &&
         a->raw_attrs() == b->raw_attrs();
}

// Returns the operand that determines how elements move; null if the others do
// not move with it. Scalars (of clamp and select) and splats fit every
// movement.
const HloInstruction* CommonMovement(const HloInstruction* hlo) {
  const HloInstruction* movement = nullptr;
  for (const HloInstruction* x : hlo->operands()) {
    if (ShapeUtil::IsScalar(x->shape()) || IsScalarBroadcast(x)) continue;
    if (!IsMovement(x) || x->HasControlDependencies() || x->has_sharding()) {
      return nullptr;
    }
    if (movement == nullptr) movement = x;
    if (!SameMovement(movement, x)) return nullptr;
  }
  return movement;
}

// Handles ops on scalar broadcasts alone, which are ops on scalars. Any
// operand's broadcast is the model for the result's.
const HloInstruction* CommonSplat(const HloInstruction* hlo) {
  const HloInstruction* splat = nullptr;
  for (const HloInstruction* x : hlo->operands()) {
    if (IsScalarBroadcast(x)) {
      splat = x;
    } else if (!ShapeUtil::IsScalar(x->shape())) {
      return nullptr;
    }
  }
  return splat;
}

// Returns whether moving pays: a moved broadcast repeats less work, but of the
// other movements one must disappear.
bool Pays(const HloInstruction* hlo, const HloInstruction* movement) {
  if (movement->opcode() == HloOpcode::kBroadcast) return true;
  absl::flat_hash_set<const HloInstruction*> going;
  for (const HloInstruction* x : hlo->operands()) {
    if (ShapeUtil::IsScalar(x->shape()) || IsScalarBroadcast(x)) continue;
    if (x->user_count() > 1 || x->IsRoot()) return false;
    going.insert(x);
  }
  if (going.size() > 1) return true;
  // Move a lone movement on only if the next op may cancel it.
  for (const HloInstruction* user : hlo->users()) {
    if (user->opcode() != movement->opcode()) return false;
  }
  return !hlo->users().empty() && !hlo->IsRoot();
}

// Returns operand `x` of `hlo` as it is before `movement`.
HloInstruction* Unmoved(HloComputation* computation, HloInstruction* x,
                        const HloInstruction* movement) {
  if (ShapeUtil::IsScalar(x->shape())) return x;
  if (!IsScalarBroadcast(x)) return x->mutable_operand(0);
  Shape shape = ShapeUtil::ChangeElementType(movement->operand(0)->shape(),
                                             x->shape().element_type());
  if (ShapeUtil::IsScalar(shape)) return x->mutable_operand(0);
  return computation->AddInstruction(
      HloInstruction::CreateBroadcast(shape, x->mutable_operand(0), {}));
}

absl::Status Move(HloComputation* computation, HloInstruction* hlo,
                  const HloInstruction* movement) {
  std::vector<HloInstruction*> operands;
  for (HloInstruction* x : hlo->operands()) {
    operands.push_back(Unmoved(computation, x, movement));
  }
  HloInstruction* small = computation->AddInstruction(hlo->CloneWithNewOperands(
      ShapeUtil::ChangeElementType(movement->operand(0)->shape(),
                                   hlo->shape().element_type()),
      operands));
  HloInstruction* moved = computation->AddInstruction(HloInstruction::Create(
      movement->opcode(), hlo->shape(), {small}, movement->raw_attrs()));
  moved->set_metadata(movement->metadata());
  return computation->ReplaceInstruction(hlo, moved);
}

absl::StatusOr<bool> RunOnComputation(HloComputation* computation) {
  bool changed = false;
  for (HloInstruction* hlo : computation->MakeInstructionPostOrder()) {
    if (!IsCandidate(hlo)) continue;
    const HloInstruction* movement = CommonMovement(hlo);
    if (movement == nullptr) movement = CommonSplat(hlo);
    if (movement == nullptr || !Pays(hlo, movement)) continue;
    TF_RETURN_IF_ERROR(Move(computation, hlo, movement));
    changed = true;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> ReshapeMover::RunImpl(HloModule* module) {
  if (module->is_scheduled()) return false;
  absl::flat_hash_set<const HloComputation*> fused;
  for (const auto& computation : module->computations()) {
    if (computation->IsFusionComputation()) fused.insert(computation);
    for (const auto& hlo : computation->instructions()) {
      if (hlo->opcode() == HloOpcode::kFusion) {
        fused.insert(hlo->fused_instructions_computation());
      }
    }
  }
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    if (fused.contains(computation)) continue;
    TF_ASSIGN_OR_RETURN(bool one, RunOnComputation(computation));
    changed |= one;
  }
  return changed;
}

}  // namespace xla
