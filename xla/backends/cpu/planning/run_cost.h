// RunCosts: how long a program will run, roughly, known before it does.
#ifndef XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_
#define XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "xla/backends/compile_report.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/backends/cpu/planning/thunk_plan.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::cpu {

// Nanoseconds on one thread, as the cost model predicts; infinite if a loop's
// length or the time of a call is not known.
struct RunCosts {
  double program = 0;
  // Of `program`, what a call takes however short it is.
  double call = 0;
  // Of what the entry computation runs, loops and calls included.
  absl::flat_hash_map<const HloInstruction*, double> instructions;
  // Of what loops and conditionals run, at any depth: each time that they do.
  absl::flat_hash_map<const HloInstruction*, double> called;

  // Of one time that `instruction` runs; infinite if it is in neither.
  double Of(const HloInstruction* instruction) const;
};

// `module` is what code is made of, after all passes.
RunCosts FindRunCosts(const HloModule& module, const TargetInfo& target);

// Returns the costs of one execution of each of the plan's thunks. `costs` are
// those of its module.
std::vector<CompileReport::ThunkCost> FindThunkCosts(const ThunkPlan& plan,
                                                     const RunCosts& costs,
                                                     const TargetInfo& target);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_PLANNING_RUN_COST_H_
