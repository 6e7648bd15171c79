// Kahn's algorithm with two priorities.
#include "xla/hlo/ir/message_order.h"

#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace xla {

bool MessageWaits::Waits(const HloInstruction& hlo) {
  if (hlo.opcode() == HloOpcode::kRecvDone) return true;
  for (const HloComputation* callee : hlo.called_computations()) {
    if (Receives(*callee)) return true;
  }
  return false;
}

bool MessageWaits::Receives(const HloComputation& computation) {
  const auto known = receives_.find(&computation);
  if (known != receives_.end()) return known->second;
  bool receives = false;
  absl::flat_hash_set<const HloComputation*> seen = {&computation};
  std::vector<const HloComputation*> work = {&computation};
  while (!work.empty() && !receives) {
    const HloComputation* next = work.back();
    work.pop_back();
    for (const auto& hlo : next->instructions()) {
      receives |= hlo->opcode() == HloOpcode::kRecvDone;
      for (const HloComputation* callee : hlo->called_computations()) {
        if (seen.insert(callee).second) work.push_back(callee);
      }
    }
  }
  receives_[&computation] = receives;
  return receives;
}

std::vector<HloInstruction*> MakeMessageOrder(const HloComputation& computation,
                                              MessageWaits& waits) {
  const std::vector<HloInstruction*> present =
      computation.MakeInstructionPostOrder();
  std::vector<bool> waiting;
  bool any = false;
  for (const HloInstruction* hlo : present) {
    waiting.push_back(waits.Waits(*hlo));
    any |= waiting.back();
  }
  if (!any) return present;
  absl::flat_hash_map<const HloInstruction*, int> number;
  std::vector<int> missing(present.size(), 0);
  for (size_t i = 0; i < present.size(); ++i) number[present[i]] = i;
  const auto for_each_after = [&](const HloInstruction* hlo, auto visit) {
    const auto visit_known = [&](const HloInstruction* after) {
      // Only an instruction of a cycle is missing.
      const auto it = number.find(after);
      if (it != number.end()) visit(it->second);
    };
    for (const HloInstruction* user : hlo->users()) visit_known(user);
    for (const HloInstruction* next : hlo->control_successors()) {
      visit_known(next);
    }
  };
  for (const HloInstruction* hlo : present) {
    for_each_after(hlo, [&](int after) { ++missing[after]; });
  }
  using Entry = std::pair<bool, int>;  // whether it waits, its present position
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  const auto add = [&](int i) { ready.push({waiting[i], i}); };
  for (size_t i = 0; i < present.size(); ++i) {
    if (missing[i] == 0) add(i);
  }
  std::vector<HloInstruction*> order;
  while (!ready.empty()) {
    HloInstruction* hlo = present[ready.top().second];
    ready.pop();
    order.push_back(hlo);
    for_each_after(hlo, [&](int after) {
      if (--missing[after] == 0) add(after);
    });
  }
  return order;
}

}  // namespace xla
