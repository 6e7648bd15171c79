// The cost of a run of a program, with loops counted as often as they run.
#ifndef XLA_BACKENDS_PROGRAM_COST_H_
#define XLA_BACKENDS_PROGRAM_COST_H_

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct ProgramCost {
  double flops = 0;
  double transcendentals = 0;
  double bytes = 0;  // that ops read and write, cached or not
  // True if there are loops whose trip count is unknown; their bodies count
  // once.
  bool has_unknown_loops = false;
};

// Sums CostAnalysis::CostOf over the entry computation and all that it runs.
// Errors: those of CostAnalysis.
absl::StatusOr<ProgramCost> CostOfProgram(const HloModule& module);

}  // namespace xla

#endif  // XLA_BACKENDS_PROGRAM_COST_H_
