// Callees first, so that what is copied holds no calls any more.
#include "xla/hlo/transforms/simplify/call_inliner.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

// What has to come before, or after, the caller holds for all that takes its
// place.
absl::Status MoveControlEdges(HloInstruction* caller,
                              absl::Span<HloInstruction* const> copies) {
  const std::vector<HloInstruction*> before = caller->control_predecessors();
  const std::vector<HloInstruction*> after = caller->control_successors();
  TF_RETURN_IF_ERROR(caller->DropAllControlDeps());
  for (HloInstruction* copy : copies) {
    for (HloInstruction* other : before) {
      TF_RETURN_IF_ERROR(other->AddControlDependencyTo(copy));
    }
    for (HloInstruction* other : after) {
      TF_RETURN_IF_ERROR(copy->AddControlDependencyTo(other));
    }
  }
  // Nothing was copied, as for the identity.
  if (!copies.empty()) return absl::OkStatus();
  for (HloInstruction* first : before) {
    for (HloInstruction* second : after) {
      TF_RETURN_IF_ERROR(first->AddControlDependencyTo(second));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status InlineCall(HloInstruction* caller, const HloComputation& callee,
                        absl::Span<HloInstruction* const> arguments) {
  HloComputation* target = caller->parent();
  absl::flat_hash_map<const HloInstruction*, HloInstruction*> mapped;
  std::vector<HloInstruction*> copies;
  for (const HloInstruction* instruction : callee.MakeInstructionPostOrder()) {
    if (instruction->opcode() == HloOpcode::kParameter) {
      mapped[instruction] = arguments[instruction->parameter_number()];
      continue;
    }
    HloInstruction::InstructionVector operands;
    for (const HloInstruction* operand : instruction->operands()) {
      operands.push_back(mapped.at(operand));
    }
    HloInstruction* copy = target->AddInstruction(
        instruction->CloneWithNewOperands(instruction->shape(), operands));
    for (const HloInstruction* before : instruction->control_predecessors()) {
      if (before->opcode() == HloOpcode::kParameter) continue;
      TF_RETURN_IF_ERROR(mapped.at(before)->AddControlDependencyTo(copy));
    }
    mapped[instruction] = copy;
    copies.push_back(copy);
  }
  TF_RETURN_IF_ERROR(MoveControlEdges(caller, copies));
  target->parent()->set_is_scheduled(false);
  TF_RETURN_IF_ERROR(
      caller->ReplaceAllUsesWith(mapped.at(callee.root_instruction())));
  return target->RemoveInstruction(caller);
}

absl::StatusOr<bool> CallInliner::Run(HloModule* module) {
  bool changed = false;
  int64_t count = module->instruction_count();
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (HloInstruction* instruction :
         computation->MakeInstructionPostOrder()) {
      if (instruction->opcode() != HloOpcode::kCall) continue;
      count += instruction->to_apply()->instruction_count();
      if (count > kMaxInstructionsAfterCopies) {
        return absl::ResourceExhaustedError(
            absl::StrCat("call-inliner: more than ",
                         kMaxInstructionsAfterCopies, " instructions at ",
                         instruction->name(), " in ", computation->name()));
      }
      const HloInstruction::InstructionVector arguments =
          instruction->operands();
      TF_RETURN_IF_ERROR(
          InlineCall(instruction, *instruction->to_apply(), arguments));
      changed = true;
    }
  }
  return changed;
}

}  // namespace xla
