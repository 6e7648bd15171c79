// Visits callers first: copies a callee as it is and then the callees of the
// calls in the copy. So every instruction is copied directly to its final
// place, however deep calls nest.
#include "xla/hlo/transforms/simplify/call_inliner.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// Orders all of `first` before all of `second`; goes through one instruction if
// that takes fewer edges.
absl::Status AddControlEdges(HloComputation* computation,
                             absl::Span<HloInstruction* const> first,
                             absl::Span<HloInstruction* const> second) {
  if (first.size() * second.size() > first.size() + second.size()) {
    HloInstruction* between =
        computation->AddInstruction(HloInstruction::Create(
            HloOpcode::kAfterAll, ShapeUtil::MakeTokenShape()));
    TF_RETURN_IF_ERROR(AddControlEdges(computation, first, {between}));
    return AddControlEdges(computation, {between}, second);
  }
  for (HloInstruction* one : first) {
    for (HloInstruction* other : second) {
      TF_RETURN_IF_ERROR(one->AddControlDependencyTo(other));
    }
  }
  return absl::OkStatus();
}

// Gives the control edges of the caller to all instructions that replace it.
absl::Status MoveControlEdges(HloInstruction* caller,
                              absl::Span<HloInstruction* const> copies) {
  const std::vector<HloInstruction*> before = caller->control_predecessors();
  const std::vector<HloInstruction*> after = caller->control_successors();
  TF_RETURN_IF_ERROR(caller->DropAllControlDeps());
  HloComputation* computation = caller->parent();
  // Nothing was copied, as for the identity.
  if (copies.empty()) return AddControlEdges(computation, before, after);
  TF_RETURN_IF_ERROR(AddControlEdges(computation, before, copies));
  return AddControlEdges(computation, copies, after);
}

// Returns an error if there would be too many copies. The size of a computation
// counts its inlined calls, that of the module all remaining computations.
absl::Status CheckSizes(const HloModule& module, HloOpcode opcode,
                        absl::string_view pass) {
  const auto too_many = [&](absl::string_view where) {
    return absl::ResourceExhaustedError(
        absl::StrCat(pass, ": more than ", kMaxInstructionsAfterCopies,
                     " instructions at ", where));
  };
  absl::flat_hash_map<const HloComputation*, int64_t> sizes;
  absl::flat_hash_set<const HloComputation*> stay = {
      module.entry_computation()};
  int64_t total = 0;
  const std::vector<HloComputation*> order = module.MakeComputationPostOrder();
  for (const HloComputation* computation : order) {
    int64_t size = 0;
    for (const auto& instruction : computation->instructions()) {
      const auto& called = instruction->called_computations();
      const bool call = instruction->opcode() == opcode;
      size += call ? sizes.at(called[0]) : 1;
      if (!call) stay.insert(called.begin(), called.end());
      if (size > kMaxInstructionsAfterCopies) {
        return too_many(
            absl::StrCat(instruction->name(), " in ", computation->name()));
      }
    }
    sizes[computation] = size;
  }
  for (const HloComputation* computation : order) {
    if (!stay.contains(computation)) continue;
    total += sizes[computation];
    if (total > kMaxInstructionsAfterCopies) {
      return too_many(computation->name());
    }
  }
  return absl::OkStatus();
}

// Pushes the calls (`opcode`) among `instructions` so that the first is on top.
void PushCalls(absl::Span<HloInstruction* const> instructions, HloOpcode opcode,
               std::vector<HloInstruction*>& stack) {
  for (auto it = instructions.rbegin(); it != instructions.rend(); ++it) {
    if ((*it)->opcode() == opcode) stack.push_back(*it);
  }
}

absl::StatusOr<bool> InlineIn(HloComputation* computation, HloOpcode opcode,
                              CallOrigins* origins) {
  std::vector<HloInstruction*> stack;
  PushCalls(computation->MakeInstructionPostOrder(), opcode, stack);
  const bool changed = !stack.empty();
  while (!stack.empty()) {
    HloInstruction* call = stack.back();
    stack.pop_back();
    const HloInstruction::InstructionVector arguments = call->operands();
    std::vector<HloInstruction*> copies;
    TF_RETURN_IF_ERROR(InlineCall(call, *call->called_computations()[0],
                                  arguments, &copies, origins));
    PushCalls(copies, opcode, stack);
  }
  return changed;
}

// Gives the frontend attributes of a call (scheduling groups, say) to its
// result.
void TakeFrontendAttributes(const HloInstruction& caller,
                            HloInstruction& root) {
  if (caller.opcode() != HloOpcode::kCall || caller.is_composite() ||
      caller.frontend_attributes().map().empty()) {
    return;
  }
  FrontendAttributes attributes = root.frontend_attributes();
  attributes.mutable_map()->insert(caller.frontend_attributes().map().begin(),
                                   caller.frontend_attributes().map().end());
  root.set_frontend_attributes(std::move(attributes));
}

}  // namespace

absl::Status InlineCall(HloInstruction* caller, const HloComputation& callee,
                        absl::Span<HloInstruction* const> arguments,
                        std::vector<HloInstruction*>* made,
                        CallOrigins* origins) {
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
    if (origins != nullptr) origins->Join(*caller, *copy);
    mapped[instruction] = copy;
    copies.push_back(copy);
  }
  HloInstruction* root = mapped.at(callee.root_instruction());
  if (callee.root_instruction()->opcode() != HloOpcode::kParameter) {
    TakeFrontendAttributes(*caller, *root);
  }
  TF_RETURN_IF_ERROR(MoveControlEdges(caller, copies));
  target->parent()->set_is_scheduled(false);
  TF_RETURN_IF_ERROR(caller->ReplaceAllUsesWith(root));
  if (made != nullptr) *made = std::move(copies);
  return target->RemoveInstruction(caller);
}

absl::StatusOr<bool> InlineAll(HloModule* module, HloOpcode opcode,
                               absl::string_view pass) {
  TF_RETURN_IF_ERROR(CheckSizes(*module, opcode, pass));
  bool changed = false;
  // What a fusion computes says itself where it comes from.
  CallOrigins origins(module);
  CallOrigins* joined = opcode == HloOpcode::kCall ? &origins : nullptr;
  // Computations that are called in other ways, starting from the entry.
  absl::flat_hash_set<const HloComputation*> found = {
      module->entry_computation()};
  std::vector<HloComputation*> pending = {module->entry_computation()};
  while (!pending.empty()) {
    HloComputation* computation = pending.back();
    pending.pop_back();
    TF_ASSIGN_OR_RETURN(bool once, InlineIn(computation, opcode, joined));
    changed |= once;
    for (const auto& instruction : computation->instructions()) {
      for (HloComputation* called : instruction->called_computations()) {
        if (found.insert(called).second) pending.push_back(called);
      }
    }
  }
  if (changed) module->RemoveUnreachableComputations();
  return changed;
}

absl::StatusOr<CallInliner::InlinedInstructionMap> CallInliner::Inline(
    HloInstruction* call) {
  if (call->opcode() != HloOpcode::kCall) {
    return absl::InvalidArgumentError(
        absl::StrCat(call->name(), " is no call that could be inlined"));
  }
  const HloComputation& callee = *call->to_apply();
  const HloInstruction::InstructionVector arguments = call->operands();
  std::vector<HloInstruction*> copies;
  CallOrigins origins(call->GetModule());
  TF_RETURN_IF_ERROR(InlineCall(call, callee, arguments, &copies, &origins));
  InlinedInstructionMap map;
  auto copy = copies.begin();
  for (HloInstruction* original : callee.MakeInstructionPostOrder()) {
    map[original] = original->opcode() == HloOpcode::kParameter
                        ? arguments[original->parameter_number()]
                        : *copy++;
  }
  return map;
}

absl::StatusOr<bool> CallInliner::RunImpl(HloModule* module) {
  return InlineAll(module, HloOpcode::kCall, name());
}

}  // namespace xla
