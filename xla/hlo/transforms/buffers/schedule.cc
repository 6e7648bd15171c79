// Callees before callers, so that a call's own memory is known.
#include "xla/hlo/transforms/buffers/schedule.h"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/transforms/buffers/memory_order.h"
#include "xla/hlo/transforms/buffers/write_order.h"

namespace xla {
namespace {

// Instructions with side effects, their own or of what they call.
absl::flat_hash_set<const HloInstruction*> FindEffects(
    const HloModule& module) {
  absl::flat_hash_set<const HloInstruction*> effects;
  absl::flat_hash_set<const HloComputation*> computations;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    for (const auto& hlo : computation->instructions()) {
      bool effect = hlo->HasSideEffectNoRecurse();
      for (const HloComputation* callee : hlo->called_computations()) {
        effect |= computations.contains(callee);
      }
      if (!effect || hlo->opcode() == HloOpcode::kParameter) continue;
      effects.insert(hlo.get());
      computations.insert(computation);
    }
  }
  return effects;
}

// The order of `computation` in which what waits for a message, `waiting`,
// comes as late as it may, so that no send that it does not need stands behind
// it: passes that put instructions before a send may have moved it there.
std::vector<HloInstruction*> OrderWaitingLast(
    const HloComputation& computation,
    const absl::flat_hash_set<const HloInstruction*>& waiting) {
  const std::vector<HloInstruction*> present =
      computation.MakeInstructionPostOrder();
  absl::flat_hash_map<const HloInstruction*, int> number;
  std::vector<int> missing(present.size(), 0);
  for (size_t i = 0; i < present.size(); ++i) number[present[i]] = i;
  const auto for_each_after = [&](const HloInstruction* hlo, auto visit) {
    for (const HloInstruction* user : hlo->users()) visit(number.at(user));
    for (const HloInstruction* next : hlo->control_successors()) {
      visit(number.at(next));
    }
  };
  for (const HloInstruction* hlo : present) {
    for_each_after(hlo, [&](int after) { ++missing[after]; });
  }
  using Entry = std::pair<bool, int>;  // whether it waits, present place
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> ready;
  const auto add = [&](int i) {
    ready.push({waiting.contains(present[i]), i});
  };
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

absl::StatusOr<bool> SetOrder(HloComputation* computation,
                              const std::vector<HloInstruction*>& order) {
  bool changed = false;
  size_t i = 0;
  for (const auto& hlo : computation->instructions()) {
    changed |= i >= order.size() || order[i] != hlo.get();
    ++i;
  }
  if (!changed) return false;
  TF_RETURN_IF_ERROR(computation->SetInstructionOrder(order));
  return true;
}

// As OrderWaitingLast, in all computations that receive.
absl::StatusOr<bool> PutWaitingLast(HloModule* module) {
  absl::flat_hash_set<const HloInstruction*> waiting;
  absl::flat_hash_set<const HloComputation*> receivers;
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    for (const auto& hlo : computation->instructions()) {
      bool waits = hlo->opcode() == HloOpcode::kRecvDone;
      for (const HloComputation* callee : hlo->called_computations()) {
        waits |= receivers.contains(callee);
      }
      if (!waits) continue;
      waiting.insert(hlo.get());
      receivers.insert(computation);
    }
    if (!receivers.contains(computation)) continue;
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(computation, OrderWaitingLast(*computation, waiting)));
    changed |= moved;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> Schedule::Run(HloModule* module) {
  TF_ASSIGN_OR_RETURN(bool changed, PutWaitingLast(module));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloDataflow> flow,
                      HloDataflow::Run(*module));
  const auto effects = FindEffects(*module);
  TF_ASSIGN_OR_RETURN(const bool ordered,
                      OrderReadsBeforeWrites(*module, *flow, effects));
  changed |= ordered || !module->is_scheduled();
  absl::flat_hash_map<const HloComputation*, int64_t> peaks;
  const auto& computations = flow->computations();
  for (auto it = computations.rbegin(); it != computations.rend(); ++it) {
    const HloComputation* computation = it->computation;
    const MemoryOrder best = FindMemoryOrder(*flow, *it, effects, peaks);
    peaks[computation] = best.peak_bytes;
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(const_cast<HloComputation*>(computation), best.order));
    changed |= moved;
  }
  for (const auto& computation : module->computations()) {
    if (flow->Contains(computation.get())) continue;
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(computation.get(), computation->MakeInstructionPostOrder()));
    changed |= moved;
  }
  module->set_is_scheduled(true);
  return changed;
}

}  // namespace xla
