// Replaces each known call by its meaning.
#include "xla/hlo/transforms/expand/known_call_expander.h"

#include <string>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/infer_instruction.h"
#include "xla/hlo/ops/movement/sorting.h"
#include "xla/hlo/ops/table/known_calls.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/random/rng_expander.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

// Replaces buffers by arrays, in tuples too.
bool DropBuffers(Shape* shape) {
  if (shape->IsBuffer()) {
    *shape = Shape(shape->buffer_shape());
    return true;
  }
  bool changed = false;
  if (!shape->IsTuple()) return changed;
  for (int i = 0; i < shape->tuple_shapes_size(); ++i) {
    changed |= DropBuffers(shape->mutable_tuple_shapes(i));
  }
  return changed;
}

absl::Status ExpandTopKCall(Hlo call) {
  const Shape& values = call->shape().tuple_shapes(0);
  TopKAttrs attrs;
  attrs.k = values.dimensions(values.rank() - 1);
  HloBuilder emit(call);
  return emit.ReplaceSource(emit.Add(HloOpcode::kTopK, call->shape(),
                                     {call->mutable_operand(0)}, attrs));
}

absl::Status ExpandSeed(Hlo call) {
  CustomCallAttrs attrs;
  attrs.custom_call_target = std::string(kRandomKeyTarget);
  attrs.custom_call_has_side_effect = true;
  HloBuilder emit(call);
  return emit.ReplaceSource(emit.Add(
      HloOpcode::kCustomCall, emit.MakeShape(U64, {}), {}, std::move(attrs)));
}

absl::Status BypassIdentity(Hlo call) {
  Hlo operand = call->mutable_operand(0);
  TF_RETURN_IF_ERROR(BypassControlDependencies(call, operand));
  TF_RETURN_IF_ERROR(call->ReplaceAllUsesWith(operand));
  return call->parent()->RemoveInstruction(call);
}

absl::StatusOr<bool> ExpandCall(Hlo call) {
  const auto& attrs = call->attrs<CustomCallAttrs>();
  const KnownCall known = KnownCallOf(attrs);
  TF_RETURN_IF_ERROR(CheckKnownCall(
      known, attrs, OperandShapes(call->operands()), call->shape()));
  switch (known) {
    case KnownCall::kNone:
    case KnownCall::kDynamicConvolution:
      return false;
    case KnownCall::kIdentity:
      TF_RETURN_IF_ERROR(BypassIdentity(call));
      return true;
    case KnownCall::kTopK:
      TF_RETURN_IF_ERROR(ExpandTopKCall(call));
      return true;
    case KnownCall::kGetRngSeed:
      TF_RETURN_IF_ERROR(ExpandSeed(call));
      return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<bool> KnownCallExpander::RunImpl(HloModule* module) {
  bool changed = false;
  bool pins = false;
  for (const auto& computation : module->computations()) {
    for (const auto& hlo : computation->instructions()) {
      pins |=
          hlo->opcode() == HloOpcode::kCustomCall && hlo->shape().IsBuffer();
    }
  }
  // Do this first, since uses may only change between values of the same shape.
  if (pins) {
    for (const auto& computation : module->computations()) {
      for (const auto& hlo : computation->instructions()) {
        changed |= DropBuffers(hlo->mutable_shape());
      }
    }
  }
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      if (hlo->opcode() != HloOpcode::kCustomCall) continue;
      TF_ASSIGN_OR_RETURN(const bool expanded, ExpandCall(hlo));
      changed |= expanded;
    }
  }
  if (changed) module->set_is_scheduled(false);
  return changed;
}

}  // namespace xla
