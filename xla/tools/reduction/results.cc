// The step that makes a program compute less of what it computes.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/tools/reduction/moves.h"

namespace xla::tools {
namespace {

bool TryRoot(Trials& trials, const std::string& name) {
  ReducibleProgram copy = trials.Copy();
  HloInstruction* root = FindInstruction(*copy.module, name);
  if (root == nullptr) return false;
  copy.module->entry_computation()->set_root_instruction(root);
  return trials.Try(std::move(copy));
}

// Tries the instruction in the middle of the order, then the one after three
// quarters and so on, so that a late one is found in few tests.
bool TryEarlierRoots(Trials& trials) {
  std::vector<std::string> names;
  const HloComputation& entry = *trials.best().module->entry_computation();
  for (const HloInstruction* hlo : entry.MakeInstructionPostOrder()) {
    if (hlo->operand_count() > 0 && !hlo->IsRoot()) {
      names.push_back(hlo->name());
    }
  }
  for (size_t left = names.size() / 2; left > 0; left /= 2) {
    if (TryRoot(trials, names[names.size() - 1 - left])) return true;
  }
  return false;
}

bool TryOperandsOfRoot(Trials& trials) {
  std::vector<std::string> names;
  const HloInstruction* root =
      trials.best().module->entry_computation()->root_instruction();
  for (const HloInstruction* operand : root->operands()) {
    names.push_back(operand->name());
  }
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return TryRoot(trials, name);
  });
}

// Leaves out elements of the root by the names of what they are.
absl::StatusOr<bool> DropElements(ReducibleProgram& program,
                                  absl::Span<const std::string> chunk) {
  HloComputation& entry = *program.module->entry_computation();
  std::vector<HloInstruction*> kept;
  for (HloInstruction* operand : entry.root_instruction()->operands()) {
    if (std::find(chunk.begin(), chunk.end(), operand->name()) == chunk.end()) {
      kept.push_back(operand);
    }
  }
  if (kept.empty() || static_cast<int64_t>(kept.size()) ==
                          entry.root_instruction()->operand_count()) {
    return false;
  }
  entry.set_root_instruction(
      entry.AddInstruction(HloInstruction::CreateTuple(kept)));
  return true;
}

}  // namespace

bool ShortenResults(Trials& trials) {
  bool changed = false;
  while (TryEarlierRoots(trials)) changed = true;
  while (TryOperandsOfRoot(trials)) changed = true;
  const HloInstruction* root =
      trials.best().module->entry_computation()->root_instruction();
  if (root->opcode() == HloOpcode::kTuple) {
    std::vector<std::string> names;
    for (const HloInstruction* operand : root->unique_operands()) {
      names.push_back(operand->name());
    }
    changed |= trials.TryChunks(std::move(names), DropElements);
  }
  return changed;
}

}  // namespace xla::tools
