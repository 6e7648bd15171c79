// An iterative search, since chains of operands are long.
#include "xla/hlo/transforms/sharding/program_order.h"

#include "absl/container/flat_hash_map.h"

namespace xla {

std::vector<HloInstruction*> DepthFirstOrder(
    const HloComputation& computation) {
  enum class State : uint8_t { kEntered, kDone };
  absl::flat_hash_map<const HloInstruction*, State> states;
  std::vector<HloInstruction*> order;
  std::vector<HloInstruction*> stack;
  for (const auto& root : computation.instructions()) {
    if (root->user_count() > 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      HloInstruction* hlo = stack.back();
      const auto [state, is_new] = states.try_emplace(hlo, State::kEntered);
      if (!is_new) {
        stack.pop_back();
        if (state->second == State::kEntered) order.push_back(hlo);
        state->second = State::kDone;
        continue;
      }
      for (int64_t i = hlo->operand_count(); i-- > 0;) {
        HloInstruction* operand = hlo->mutable_operand(i);
        if (!states.contains(operand)) stack.push_back(operand);
      }
    }
  }
  return order;
}

bool IsCarriedUnchanged(const HloInstruction& loop, int64_t element) {
  const HloInstruction& root = *loop.while_body()->root_instruction();
  if (root.opcode() != HloOpcode::kTuple || element >= root.operand_count()) {
    return false;
  }
  const HloInstruction& returned = *root.operand(element);
  return returned.opcode() == HloOpcode::kGetTupleElement &&
         returned.tuple_index() == element &&
         returned.operand(0)->opcode() == HloOpcode::kParameter;
}

}  // namespace xla
