// Visits callers first: a copy shares its callees with the original until the
// walk reaches and copies them.
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"

namespace xla {
namespace {

bool IsControlFlow(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kWhile:
    case HloOpcode::kConditional:
    case HloOpcode::kCall:
    case HloOpcode::kAsyncStart:
      return true;
    default:
      return false;
  }
}

// Makes the updates and the done of an async-start call its new computation.
void NameAgain(HloInstruction* start) {
  std::vector<HloInstruction*> pending(start->users().begin(),
                                       start->users().end());
  while (!pending.empty()) {
    HloInstruction* next = pending.back();
    pending.pop_back();
    if (next->opcode() != HloOpcode::kAsyncUpdate &&
        next->opcode() != HloOpcode::kAsyncDone) {
      continue;
    }
    if (!next->called_computations().empty()) {
      next->set_called_computation(0, start->called_computations()[0]);
    }
    pending.insert(pending.end(), next->users().begin(), next->users().end());
  }
}

}  // namespace

absl::StatusOr<bool> FlattenCallGraph::RunImpl(HloModule* module) {
  absl::flat_hash_set<const HloComputation*> taken = {
      module->entry_computation()};
  for (const auto& computation : module->computations()) {
    for (const auto& instruction : computation->instructions()) {
      if (IsControlFlow(*instruction) ||
          instruction->opcode() == HloOpcode::kAsyncUpdate ||
          instruction->opcode() == HloOpcode::kAsyncDone) {
        continue;
      }
      taken.insert(instruction->called_computations().begin(),
                   instruction->called_computations().end());
    }
  }
  bool changed = false;
  int64_t count = module->instruction_count();
  std::vector<HloComputation*> pending = {module->entry_computation()};
  while (!pending.empty()) {
    HloComputation* computation = pending.back();
    pending.pop_back();
    for (const auto& instruction : computation->instructions()) {
      if (!IsControlFlow(*instruction)) continue;
      const size_t callees = instruction->called_computations().size();
      for (size_t i = 0; i < callees; ++i) {
        HloComputation* callee = instruction->called_computations()[i];
        if (!taken.insert(callee).second) {
          count += callee->instruction_count();
          if (count > kMaxInstructionsAfterCopies) {
            return absl::ResourceExhaustedError(absl::StrCat(
                "flatten-call-graph: more than ", kMaxInstructionsAfterCopies,
                " instructions at ", instruction->name()));
          }
          callee = callee->CloneInto(module, callee->name());
          taken.insert(callee);
          instruction->set_called_computation(i, callee);
          if (instruction->opcode() == HloOpcode::kAsyncStart) {
            NameAgain(instruction);
          }
          changed = true;
        }
        pending.push_back(callee);
      }
    }
  }
  return changed;
}

}  // namespace xla
