// The cost of a run of a program, with loops counted as often as they run.
#ifndef XLA_BACKENDS_PROGRAM_COST_H_
#define XLA_BACKENDS_PROGRAM_COST_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "xla/hlo/analysis/cost/cost_analysis.h"
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

// The costs of instructions, with those of what they call.
class InstructionCosts {
 public:
  // `module` must outlive this. Errors: those of CostAnalysis.
  static absl::StatusOr<InstructionCosts> Analyse(const HloModule& module);

  // Returns the cost of one execution of an instruction that the entry
  // computation runs, at any depth; zeros for others.
  ProgramCost Of(const HloInstruction& instruction);
  // The sum over the instructions of a computation.
  ProgramCost Of(const HloComputation& computation);

 private:
  InstructionCosts() = default;
  ProgramCost OfLoop(const HloInstruction& loop);

  CostAnalysis analysis_;
  absl::flat_hash_map<const HloComputation*, ProgramCost> known_;
};

// Sums CostAnalysis::CostOf over the entry computation and all that it runs.
// Errors: those of CostAnalysis.
absl::StatusOr<ProgramCost> CostOfProgram(const HloModule& module);

}  // namespace xla

#endif  // XLA_BACKENDS_PROGRAM_COST_H_
