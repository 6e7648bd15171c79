// Sums the work of instructions, multiplied by the trip counts of loops.
#include "xla/backends/cpu/planning/run_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/hlo/ops/control_flow.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla::cpu {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

class RunCost {
 public:
  // A loop of unknown trip count takes `unknown_trips` iterations. Keeps the
  // costs of native code in `code`.
  RunCost(const CpuCostModel& model, double unknown_trips,
          absl::flat_hash_map<const HloInstruction*, CpuCost>& code)
      : model_(model), unknown_trips_(unknown_trips), code_(code) {}

  double Of(const HloComputation* computation) {
    double sum = 0;
    for (const auto& instruction : computation->instructions()) {
      sum += Of(*instruction);
    }
    return sum;
  }

  double Of(const HloInstruction& instruction) {
    auto it = known_.find(&instruction);
    if (it != known_.end()) return it->second;
    const double nanoseconds = Find(instruction);
    known_.insert({&instruction, nanoseconds});
    return nanoseconds;
  }

 private:
  double Find(const HloInstruction& instruction) {
    if (IsMemoryName(instruction.opcode())) return 0;
    if (IsSmallDot(instruction)) return Native(instruction);
    switch (instruction.opcode()) {
      case HloOpcode::kWhile: {
        const std::optional<CountedLoop> loop = FindCountedLoop(instruction);
        const double trips = loop.has_value()
                                 ? static_cast<double>(loop->trip_count)
                                 : unknown_trips_;
        if (std::isinf(trips)) return kUnknown;
        return (trips + 1) * (Of(instruction.while_condition()) +
                              Of(instruction.while_body()));
      }
      case HloOpcode::kConditional: {
        double most = 0;
        for (const HloComputation* branch : instruction.called_computations()) {
          most = std::max(most, Of(branch));
        }
        return most;
      }
      case HloOpcode::kFusion:
        if (instruction.attrs<FusionAttrs>().kind == FusionKind::kCustom) {
          return Of(instruction.fused_instructions_computation());
        }
        break;
      default:
        break;
    }
    if (const auto cost = model_.LibraryCost(instruction)) {
      return cost->nanoseconds;
    }
    if (CodeFamilyOf(instruction) == CodeFamily::kNone) return kUnknown;
    return Native(instruction);
  }

  double Native(const HloInstruction& instruction) {
    const auto [it, is_new] = code_.try_emplace(&instruction);
    if (is_new) it->second = model_.CodeCost(instruction);
    return it->second.nanoseconds;
  }

  const CpuCostModel& model_;
  const double unknown_trips_;
  absl::flat_hash_map<const HloInstruction*, CpuCost>& code_;
  absl::flat_hash_map<const HloInstruction*, double> known_;
};

// The bytes that an instruction reads and writes; none of loops and
// conditionals.
double BytesOf(const CpuCostModel& model, const RunCosts& costs,
               const HloInstruction& instruction) {
  if (HasBodies(instruction)) return 0;
  if (const auto cost = model.LibraryCost(instruction)) return cost->bytes;
  return costs.CodeOf(instruction, model).bytes;
}

// Adds what loops and conditionals in `computation` run, at any depth.
void FindCalled(const HloComputation& computation, RunCost& cost,
                RunCosts& costs) {
  for (const auto& instruction : computation.instructions()) {
    if (!HasBodies(*instruction)) continue;
    for (const HloComputation* called : instruction->called_computations()) {
      bool is_new = false;
      for (const auto& inner : called->instructions()) {
        is_new |= costs.called.insert({inner, cost.Of(*inner)}).second;
      }
      // Several may call the same computation.
      if (is_new) FindCalled(*called, cost, costs);
    }
  }
}

}  // namespace

double RunCosts::Of(const HloInstruction* instruction) const {
  auto it = instructions.find(instruction);
  if (it != instructions.end()) return it->second;
  it = called.find(instruction);
  return it == called.end() ? kUnknown : it->second;
}

CpuCost RunCosts::CodeOf(const HloInstruction& instruction,
                         const CpuCostModel& model) const {
  const auto it = code.find(&instruction);
  return it == code.end() ? model.CodeCost(instruction) : it->second;
}

RunCosts FindRunCosts(const HloModule& module, const TargetInfo& target) {
  const CpuCostModel model(target);
  RunCosts costs;
  RunCost cost(model, kUnknown, costs.code);
  costs.call = model.machine().run_ns;
  costs.program = costs.call;
  for (const auto& instruction : module.entry_computation()->instructions()) {
    const double nanoseconds = cost.Of(*instruction);
    costs.instructions[instruction] = nanoseconds;
    costs.program += nanoseconds;
  }
  FindCalled(*module.entry_computation(), cost, costs);
  costs.shortest = costs.call + RunCost(model, /*unknown_trips=*/1, costs.code)
                                    .Of(module.entry_computation());
  return costs;
}

std::vector<CompileReport::ThunkCost> FindThunkCosts(const ThunkPlan& plan,
                                                     const RunCosts& costs,
                                                     const TargetInfo& target) {
  const CpuCostModel model(target);
  std::vector<CompileReport::ThunkCost> thunks;
  for (const PlannedThunk& planned : plan.thunks) {
    const std::vector<const HloInstruction*> instructions =
        InstructionsOf(plan, planned);
    if (instructions.empty()) continue;
    CompileReport::ThunkCost& thunk = thunks.emplace_back();
    thunk.name = std::string(planned.instruction->name());
    for (const HloInstruction* instruction : instructions) {
      thunk.nanoseconds += costs.Of(instruction);
      thunk.bytes += BytesOf(model, costs, *instruction);
    }
  }
  return thunks;
}

}  // namespace xla::cpu
