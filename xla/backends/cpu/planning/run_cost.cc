// Sums the work of instructions, as often as loops run them.
#include "xla/backends/cpu/planning/run_cost.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/fusion/attention.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/hlo_cost_analysis.h"
#include "xla/hlo/transforms/loops/trip_count.h"

namespace xla::cpu {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();
// What any instruction takes, and a call of a library kernel.
constexpr double kInstructionNanoseconds = 1;
constexpr double kCallNanoseconds = 300;
// Of kernels for contractions, on one thread.
constexpr double kNanosecondsOfFlop = 0.02;
// Of sorts and transforms.
constexpr double kNanosecondsOfStep = 1;

class RunCost {
 public:
  RunCost(const HloCostAnalysis& analysis, const TargetInfo& target)
      : analysis_(analysis), target_(target) {}

  double Of(const HloComputation* computation) const {
    double sum = 0;
    for (const auto& instruction : computation->instructions()) {
      sum += Of(*instruction);
    }
    return sum;
  }
  double Of(const HloInstruction& instruction) const {
    if (IsMemoryName(instruction.opcode())) return 0;
    if (IsSmallDot(instruction)) return Native(instruction);
    switch (instruction.opcode()) {
      case HloOpcode::kWhile: {
        const std::optional<CountedLoop> loop = FindCountedLoop(instruction);
        if (!loop.has_value()) return kUnknown;
        return (static_cast<double>(loop->trip_count) + 1) *
               (Of(instruction.while_condition()) +
                Of(instruction.while_body()));
      }
      case HloOpcode::kConditional: {
        double most = 0;
        for (const HloComputation* branch : instruction.called_computations()) {
          most = std::max(most, Of(branch));
        }
        return most;
      }
      case HloOpcode::kDot:
      case HloOpcode::kConvolution: {
        const HloCostAnalysis::Cost cost = analysis_.CostOf(instruction);
        return kCallNanoseconds + cost.flops * kNanosecondsOfFlop +
               cost.bytes * kNanosecondsOfByte;
      }
      case HloOpcode::kSort:
      case HloOpcode::kFft: {
        const HloCostAnalysis::Cost cost = analysis_.CostOf(instruction);
        return kCallNanoseconds + cost.flops * kNanosecondsOfStep;
      }
      case HloOpcode::kFusion:
        if (IsAttentionFusion(instruction)) {
          return Of(instruction.fused_instructions_computation());
        }
        break;
      default:
        break;
    }
    if (CodeFamilyOf(instruction) == CodeFamily::kNone) return kUnknown;
    return Native(instruction);
  }

 private:
  double Native(const HloInstruction& instruction) const {
    return kInstructionNanoseconds + WorkOf(instruction, target_).nanoseconds();
  }

  const HloCostAnalysis& analysis_;
  const TargetInfo& target_;
};

// All that loops and conditionals in `computation` run.
void FindCalled(const HloComputation& computation, const RunCost& cost,
                RunCosts& costs) {
  for (const auto& instruction : computation.instructions()) {
    if (!HasBodies(*instruction)) continue;
    for (const HloComputation* called : instruction->called_computations()) {
      for (const auto& inner : called->instructions()) {
        costs.called[inner.get()] = cost.Of(*inner);
      }
      FindCalled(*called, cost, costs);
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

absl::StatusOr<RunCosts> FindRunCosts(const HloModule& module,
                                      const TargetInfo& target) {
  HloCostAnalysis analysis;
  TF_RETURN_IF_ERROR(analysis.Run(*module.entry_computation()));
  const RunCost cost(analysis, target);
  RunCosts costs;
  for (const auto& instruction : module.entry_computation()->instructions()) {
    const double nanoseconds = cost.Of(*instruction);
    costs.instructions[instruction.get()] = nanoseconds;
    costs.program += nanoseconds;
  }
  FindCalled(*module.entry_computation(), cost, costs);
  return costs;
}

}  // namespace xla::cpu
