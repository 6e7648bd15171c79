// Multiplies the costs of loop bodies by their trip counts.
#include "xla/backends/program_cost.h"

#include <optional>

#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla {
namespace {

void Add(const ProgramCost& part, double times, ProgramCost& sum) {
  sum.flops += times * part.flops;
  sum.transcendentals += times * part.transcendentals;
  sum.bytes += times * part.bytes;
  sum.has_unknown_loops |= part.has_unknown_loops;
}

}  // namespace

absl::StatusOr<InstructionCosts> InstructionCosts::Analyse(
    const HloModule& module) {
  InstructionCosts costs;
  TF_RETURN_IF_ERROR(costs.analysis_.Run(*module.entry_computation()));
  // Visits callees first, so that deep nesting does not become deep recursion.
  for (const HloComputation* each : module.MakeComputationPostOrder()) {
    costs.Of(*each);
  }
  return costs;
}

// Recurses only into computations whose cost is not known yet.
ProgramCost InstructionCosts::Of(const HloComputation& computation) {
  if (auto it = known_.find(&computation); it != known_.end()) {
    return it->second;
  }
  ProgramCost sum;
  for (const auto& instruction : computation.instructions()) {
    Add(Of(*instruction), 1, sum);
  }
  known_[&computation] = sum;
  return sum;
}

ProgramCost InstructionCosts::Of(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kWhile:
      return OfLoop(instruction);
    case HloOpcode::kCall:
      return Of(*instruction.called_computations()[0]);
    case HloOpcode::kConditional: {
      ProgramCost most;
      for (const HloComputation* branch : instruction.called_computations()) {
        const ProgramCost cost = Of(*branch);
        if (cost.flops + cost.bytes >= most.flops + most.bytes) most = cost;
      }
      return most;
    }
    default: {
      const CostAnalysis::Cost cost = analysis_.CostOf(instruction);
      return {cost.flops, cost.transcendentals, cost.bytes};
    }
  }
}

ProgramCost InstructionCosts::OfLoop(const HloInstruction& loop) {
  const std::optional<CountedLoop> counted = FindCountedLoop(loop);
  const double trips = counted.has_value() ? counted->trip_count : 1;
  ProgramCost sum;
  Add(Of(*loop.while_condition()), trips + 1, sum);
  Add(Of(*loop.while_body()), trips, sum);
  sum.has_unknown_loops |= !counted.has_value();
  return sum;
}

absl::StatusOr<ProgramCost> CostOfProgram(const HloModule& module) {
  TF_ASSIGN_OR_RETURN(InstructionCosts costs,
                      InstructionCosts::Analyse(module));
  return costs.Of(*module.entry_computation());
}

}  // namespace xla
