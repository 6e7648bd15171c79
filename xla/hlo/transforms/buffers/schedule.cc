// Orders callees before callers, so that the memory of a call is known.
#include "xla/hlo/transforms/buffers/schedule.h"

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/message_order.h"
#include "xla/hlo/ir/side_effects.h"
#include "xla/hlo/transforms/buffers/memory_order.h"
#include "xla/hlo/transforms/buffers/write_order.h"

namespace xla {
namespace {

absl::StatusOr<bool> SetOrder(HloComputation* computation,
                              const std::vector<HloInstruction*>& order) {
  bool changed = false;
  size_t i = 0;
  for (const auto& hlo : computation->instructions()) {
    changed |= i >= order.size() || order[i] != hlo;
    ++i;
  }
  if (!changed) return false;
  TF_RETURN_IF_ERROR(computation->SetInstructionOrder(order));
  return true;
}

// Passes that put instructions before a send may have moved it after an
// instruction that waits for a message.
absl::StatusOr<bool> PutWaitingLast(HloModule* module) {
  MessageWaits waits;
  bool changed = false;
  for (HloComputation* computation : module->MakeComputationPostOrder()) {
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(computation, MakeMessageOrder(*computation, waits)));
    changed |= moved;
  }
  return changed;
}

}  // namespace

absl::StatusOr<bool> Schedule::RunImpl(HloModule* module) {
  TF_ASSIGN_OR_RETURN(bool changed, PutWaitingLast(module));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloDataflow> flow,
                      HloDataflow::Run(*module));
  const auto effects = InstructionsWithSideEffects(*module);
  TF_ASSIGN_OR_RETURN(
      const bool ordered,
      OrderReadsBeforeWrites(*module, *flow, *alias_info_, effects));
  changed |= ordered || !module->is_scheduled();
  absl::flat_hash_map<const HloComputation*, int64_t> peaks;
  const auto& computations = flow->computations();
  for (auto it = computations.rbegin(); it != computations.rend(); ++it) {
    const HloComputation* computation = it->computation;
    const MemoryOrder best =
        FindMemoryOrder(*flow, *alias_info_, *it, effects, peaks);
    peaks[computation] = best.peak_bytes;
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(const_cast<HloComputation*>(computation), best.order));
    changed |= moved;
  }
  for (const auto& computation : module->computations()) {
    if (flow->Contains(computation)) continue;
    TF_ASSIGN_OR_RETURN(
        const bool moved,
        SetOrder(computation, computation->MakeInstructionPostOrder()));
    changed |= moved;
  }
  module->set_is_scheduled(true);
  return changed;
}

}  // namespace xla
