// FindMissedOptimizations: what the compiler did not fuse, do in place or
// vectorize, why, and what that may cost.
#ifndef XLA_BACKENDS_CPU_EXPLAIN_MISSED_OPTIMIZATIONS_H_
#define XLA_BACKENDS_CPU_EXPLAIN_MISSED_OPTIMIZATIONS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

using MissedOptimization = CompileReport::MissedOptimization;

// `module` went through the passes of pipeline.h, which left their reasons
// (InstructionFusion's `explain`), and `plan` is its plan. Reasons are those of
// the code that decided: of passes, plans and the fusion backend. Costs are
// those of the cost model, for one run on one thread, in which loops of unknown
// trip counts run once. Dearest first.
std::vector<MissedOptimization> FindMissedOptimizations(
    const HloModule& module, const ThunkPlan& plan, const TargetInfo& target);

// The parts, in the order of the module. `runs` is how often a run executes
// each computation that is not fused or applied to elements.
using RunCounts = absl::flat_hash_map<const HloComputation*, double>;
RunCounts FindRunCounts(const HloModule& module);

// Arrays that one kernel or library call writes and another one reads.
std::vector<MissedOptimization> FindMissedFusions(const HloModule& module,
                                                  const ThunkPlan& plan,
                                                  const TargetInfo& target,
                                                  const RunCounts& runs);
// Scores that a mask of attention leaves out and that are computed all the
// same.
std::vector<MissedOptimization> FindMissedSkips(const HloModule& module,
                                                const CpuCostModel& model,
                                                const RunCounts& runs);
// Copies that copy insertion added, and updates that write a whole array.
std::vector<MissedOptimization> FindMissedUpdates(const HloModule& module,
                                                  const CpuCostModel& model,
                                                  const RunCounts& runs);
// Native code that computes few elements at a time, or reads them one by one.
std::vector<MissedOptimization> FindMissedVectors(const ThunkPlan& plan,
                                                  const TargetInfo& target,
                                                  const RunCounts& runs);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_EXPLAIN_MISSED_OPTIMIZATIONS_H_
