// What a run of a program costs, loops counted as often as they run.
#ifndef XLA_BACKENDS_PROGRAM_COST_H_
#define XLA_BACKENDS_PROGRAM_COST_H_

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

struct ProgramCost {
  double flops = 0;
  double transcendentals = 0;
  double bytes = 0;  // that ops read and write, caches or not
  // There are loops of which nobody knows how often they run; their bodies
  // count once.
  bool has_unknown_loops = false;
};

// Sums of HloCostAnalysis::CostOf over the entry computation and what it runs.
// Errors: those of HloCostAnalysis.
absl::StatusOr<ProgramCost> CostOfProgram(const HloModule& module);

}  // namespace xla

#endif  // XLA_BACKENDS_PROGRAM_COST_H_
