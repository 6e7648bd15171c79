// Puts the parts together, and counts runs of computations.
#include "xla/backends/cpu/explain/missed_optimizations.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla::cpu {

RunCounts FindRunCounts(const HloModule& module) {
  RunCounts runs;
  runs[module.entry_computation()] = 1;
  const std::vector<HloComputation*> order = module.MakeComputationPostOrder();
  // Callers come before what they call.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto at = runs.find(*it);
    if (at == runs.end()) continue;
    const double here = at->second;
    for (const HloInstruction* hlo : (*it)->instructions()) {
      double times = here;
      if (hlo->opcode() == HloOpcode::kWhile) {
        const std::optional<CountedLoop> loop = FindCountedLoop(*hlo);
        if (loop.has_value()) times *= static_cast<double>(loop->trip_count);
      } else if (hlo->opcode() != HloOpcode::kConditional) {
        continue;
      }
      for (const HloComputation* called : hlo->called_computations()) {
        runs[called] += times;
      }
    }
  }
  return runs;
}

std::vector<MissedOptimization> FindMissedOptimizations(
    const HloModule& module, const ThunkPlan& plan, const TargetInfo& target) {
  const RunCounts runs = FindRunCounts(module);
  std::vector<MissedOptimization> all =
      FindMissedFusions(module, plan, target, runs);
  const CpuCostModel model(target);
  for (auto& part : {FindMissedUpdates(module, model, runs),
                     FindMissedSkips(module, model, runs),
                     FindMissedVectors(plan, target, runs)}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  std::stable_sort(
      all.begin(), all.end(),
      [](const MissedOptimization& a, const MissedOptimization& b) {
        return a.nanoseconds > b.nanoseconds;
      });
  return all;
}

}  // namespace xla::cpu
