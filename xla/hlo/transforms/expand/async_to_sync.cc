// A start becomes the tuple that it returns, and a done an element of it.
#include "xla/hlo/transforms/expand/async_to_sync.h"

#include <vector>

#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/permuted_slices.h"
#include "xla/hlo/transforms/creation/hlo_builder.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

using Hlo = HloInstruction*;

Hlo ZeroOf(HloBuilder& emit, const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Hlo> elements;
    for (const Shape& part : shape.tuple_shapes()) {
      elements.push_back(ZeroOf(emit, part));
    }
    return emit.Tuple(elements);
  }
  if (!shape.IsArray()) return emit.Add(HloOpcode::kAfterAll, shape, {});
  return emit.Splat(emit.Zero(shape.element_type()), shape.dimensions());
}

// Returns the operands as the first element of a start's result; for an
// in-place collective-permute, the input alone.
Hlo OperandsOf(HloBuilder& emit, Hlo start) {
  const HloInstruction::InstructionVector operands = start->operands();
  const auto* permute = start->raw_attrs().As<CollectivePermuteAttrs>();
  if (permute != nullptr && IsInPlace(*permute)) return operands[0];
  return start->shape().tuple_shapes(0).IsTuple() ? emit.Tuple(operands)
                                                  : operands[0];
}

// Makes (operands, result, contexts...).
Hlo StartTuple(HloBuilder& emit, Hlo start, Hlo result) {
  std::vector<Hlo> elements = {OperandsOf(emit, start), result};
  for (int i = 2; i < start->shape().tuple_shapes_size(); ++i) {
    elements.push_back(ZeroOf(emit, start->shape().tuple_shapes(i)));
  }
  return emit.Tuple(elements);
}

absl::Status ReplaceStart(Hlo start, HloOpcode opcode) {
  HloBuilder emit(start);
  const HloInstruction::InstructionVector operands = start->operands();
  const Shape& shape = opcode == HloOpcode::kAllReduce ? start->shape()
                       : opcode == HloOpcode::kCopy
                           ? start->shape().tuple_shapes(0)
                           : start->shape().tuple_shapes(1);
  Hlo op = emit.Add(opcode, shape, operands,
                    opcode == HloOpcode::kCopy ? Attrs() : start->raw_attrs(),
                    start->called_computations());
  op->CopyAnnotationsFrom(*start);
  op->clear_sharding();
  TF_RETURN_IF_ERROR(MoveControlDependencies(start, op));
  if (opcode == HloOpcode::kAllReduce) return emit.ReplaceSource(op);
  if (opcode == HloOpcode::kCopy) {
    return emit.ReplaceSource(emit.Tuple(
        {op, operands[0], ZeroOf(emit, start->shape().tuple_shapes(2))}));
  }
  return emit.ReplaceSource(StartTuple(emit, start, op));
}

absl::Status ReplaceAsyncStart(Hlo start) {
  HloBuilder emit(start);
  HloComputation* callee = start->called_computations()[0];
  const HloInstruction::InstructionVector operands = start->operands();
  Hlo call = emit.Add(HloOpcode::kCall, callee->root_instruction()->shape(),
                      operands, {}, {callee});
  TF_RETURN_IF_ERROR(MoveControlDependencies(start, call));
  TF_RETURN_IF_ERROR(emit.ReplaceSource(StartTuple(emit, start, call)));
  return InlineCall(call, *callee, operands);
}

// Replaces a done, or update, by a part of its operand.
absl::Status ReplaceDone(Hlo done, int64_t element) {
  Hlo operand = done->mutable_operand(0);
  HloBuilder emit(done->parent());
  Hlo result = element < 0 ? operand : emit.Element(operand, element);
  TF_RETURN_IF_ERROR(BypassControlDependencies(done, result));
  TF_RETURN_IF_ERROR(done->ReplaceAllUsesWith(result));
  return done->parent()->RemoveInstruction(done);
}

absl::StatusOr<bool> Replace(Hlo hlo) {
  switch (hlo->opcode()) {
    case HloOpcode::kAllGatherStart:
      TF_RETURN_IF_ERROR(ReplaceStart(hlo, HloOpcode::kAllGather));
      return true;
    case HloOpcode::kAllReduceStart:
      TF_RETURN_IF_ERROR(ReplaceStart(hlo, HloOpcode::kAllReduce));
      return true;
    case HloOpcode::kCollectivePermuteStart:
      TF_RETURN_IF_ERROR(ReplaceStart(hlo, HloOpcode::kCollectivePermute));
      return true;
    case HloOpcode::kCopyStart:
      TF_RETURN_IF_ERROR(ReplaceStart(hlo, HloOpcode::kCopy));
      return true;
    case HloOpcode::kAsyncStart:
      TF_RETURN_IF_ERROR(ReplaceAsyncStart(hlo));
      return true;
    case HloOpcode::kAllGatherDone:
    case HloOpcode::kCollectivePermuteDone:
    case HloOpcode::kAsyncDone:
      TF_RETURN_IF_ERROR(ReplaceDone(hlo, 1));
      return true;
    case HloOpcode::kCopyDone:
      TF_RETURN_IF_ERROR(ReplaceDone(hlo, 0));
      return true;
    case HloOpcode::kAllReduceDone:
    case HloOpcode::kAsyncUpdate:
      TF_RETURN_IF_ERROR(ReplaceDone(hlo, -1));
      return true;
    default:
      return false;
  }
}

}  // namespace

absl::StatusOr<bool> AsyncToSync::RunImpl(HloModule* module) {
  bool changed = false;
  // Visit callees first: an async-start may call others.
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (Hlo hlo : computation->MakeInstructionPostOrder()) {
      TF_ASSIGN_OR_RETURN(bool once, Replace(hlo));
      changed |= once;
    }
  }
  return changed;
}

}  // namespace xla
