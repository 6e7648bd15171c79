// RunCosts: an estimate of how long a program runs, made before it does.
#ifndef XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_
#define XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Nanoseconds on one thread, as the cost model predicts; infinite if a trip
// count or the time of a call is unknown.
struct RunCosts {
  double program = 0;
  // The same where loops of unknown trip counts run once: infinite only if the
  // time of a call is unknown.
  double shortest = 0;
  // The part of `program` that every call takes, however short the program is.
  double call = 0;
  // The times of the entry computation's instructions, loops and calls
  // included.
  absl::flat_hash_map<const HloInstruction*, double> instructions;
  // The times of one execution of instructions in loops and conditionals, at
  // any depth.
  absl::flat_hash_map<const HloInstruction*, double> called;
  // What the native code of those takes that have some, so that nothing that
  // plans or reports computes it again.
  absl::flat_hash_map<const HloInstruction*, CpuCost> code;

  // Whether a run takes so long that it pays to wake threads for its first
  // loop, which then look for work during the rest of it.
  bool keeps_threads_awake() const { return program >= 200'000; }

  // Returns the time of one execution of `instruction`; infinite if it is in
  // neither map.
  double Of(const HloInstruction* instruction) const;
  // Returns what native code for `instruction` takes on the target of `model`,
  // that of FindRunCosts.
  CpuCost CodeOf(const HloInstruction& instruction,
                 const CpuCostModel& model) const;
};

// `module` is the module after all passes.
RunCosts FindRunCosts(const HloModule& module, const TargetInfo& target);

// Returns the costs of one execution of each thunk of the plan.
std::vector<CompileReport::ThunkCost> FindThunkCosts(const ThunkPlan& plan,
                                                     const RunCosts& costs,
                                                     const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_
