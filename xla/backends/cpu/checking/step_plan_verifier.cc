// A walk over the steps, which does what the executor does with names in place
// of numbers.
#include "xla/backends/cpu/checking/step_plan_verifier.h"

#include <cstdlib>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla::cpu {
namespace {

using StepKind = PlannedStep::Kind;

class PlanRun {
 public:
  PlanRun(const HloModule& module, const BufferAssignment& assignment,
          const StepPlan& plan, const BufferSimulation::Options& options)
      : assignment_(assignment),
        plan_(plan),
        simulation_(module, assignment, options) {
    labels_.assign(plan.labels, -1);
    for (size_t i = 0; i < plan.steps.size(); ++i) {
      const PlannedStep& step = plan.steps[i];
      if (step.kind == StepKind::kLabel) labels_[step.index] = i;
      if (step.kind == StepKind::kJump &&
          step.instruction->opcode() == HloOpcode::kWhile) {
        loops_[step.index] = step.instruction;
        loop_of_condition_[step.instruction->while_condition()] =
            step.instruction;
      }
    }
  }

  absl::Status Run() {
    const int64_t end = plan_.steps.size();
    for (int64_t at = 0; at < end;) {
      TF_ASSIGN_OR_RETURN(at, RunStep(at));
    }
    return simulation_.CheckResults();
  }

 private:
  // The number of the step that comes next.
  absl::StatusOr<int64_t> RunStep(int64_t at) {
    const PlannedStep& step = plan_.steps[at];
    switch (step.kind) {
      case StepKind::kKernel:
        TF_RETURN_IF_ERROR(RunKernel(plan_.kernels[step.index].spec));
        break;
      case StepKind::kLibrary:
        simulation_.WriteScratch(
            step.early ? assignment_.temp_bytes()
                       : assignment_.arena_free_from(step.instruction));
        TF_RETURN_IF_ERROR(simulation_.RunInstruction(*step.instruction));
        break;
      case StepKind::kCopy:
        TF_RETURN_IF_ERROR(simulation_.RunInstruction(*step.instruction));
        break;
      case StepKind::kCopies:
        for (const HloInstruction* copy : plan_.copies[step.index]) {
          TF_RETURN_IF_ERROR(simulation_.RunInstruction(*copy));
        }
        break;
      case StepKind::kLabel:
        // A jump back goes behind the label, so this is a loop's first round.
        if (auto loop = loops_.find(step.index); loop != loops_.end()) {
          TF_RETURN_IF_ERROR(simulation_.StartLoop(*loop->second));
        }
        break;
      case StepKind::kJump:
        if (step.instruction->opcode() == HloOpcode::kWhile) {
          TF_RETURN_IF_ERROR(simulation_.EndRound(*step.instruction));
        } else {
          TF_RETURN_IF_ERROR(simulation_.EndBranch(
              *step.instruction, branches_.at(step.instruction)));
        }
        return labels_[step.index] + 1;
      case StepKind::kJumpIfFalse: {
        const HloInstruction& loop =
            *loop_of_condition_.at(step.instruction->parent());
        TF_ASSIGN_OR_RETURN(const bool goes_on, simulation_.LoopGoesOn(loop));
        if (!goes_on) return labels_[step.index] + 1;
        break;
      }
      case StepKind::kSwitch: {
        TF_ASSIGN_OR_RETURN(const int branch,
                            simulation_.StartBranch(*step.instruction));
        branches_[step.instruction] = branch;
        return labels_[step.targets[branch]] + 1;
      }
    }
    return at + 1;
  }

  absl::Status RunKernel(const KernelSpec& spec) {
    for (const auto& [buffer, local] : spec.local_buffers) {
      simulation_.EnterLocal(buffer, local.slice, local.loaded);
    }
    for (const HloInstruction* instruction : spec.instructions) {
      TF_RETURN_IF_ERROR(simulation_.RunInstruction(*instruction));
    }
    for (const auto& [buffer, local] : spec.local_buffers) {
      simulation_.LeaveLocal(buffer, local.slice, local.stored);
    }
    return absl::OkStatus();
  }

  const BufferAssignment& assignment_;
  const StepPlan& plan_;
  BufferSimulation simulation_;
  std::vector<int64_t> labels_;                                // step of each
  absl::flat_hash_map<int64_t, const HloInstruction*> loops_;  // by label
  absl::flat_hash_map<const HloComputation*, const HloInstruction*>
      loop_of_condition_;
  // The branch under way of each conditional.
  absl::flat_hash_map<const HloInstruction*, int> branches_;
};

}  // namespace

absl::Status VerifyStepPlan(const HloModule& module,
                            const BufferAssignment& assignment,
                            const StepPlan& plan,
                            const BufferVerifierOptions& options) {
  for (int run = 0; run < options.runs; ++run) {
    // Donated parameters or not, in turns.
    PlanRun simulated(module, assignment, plan,
                      {.seed = static_cast<uint64_t>(run),
                       .donated = run % 2 == 1,
                       .most_steps = options.most_steps});
    const absl::Status status = simulated.Run();
    if (!status.ok()) {
      return absl::InternalError(
          absl::StrCat("plan of steps: ", status.message()));
    }
  }
  return absl::OkStatus();
}

bool VerifiesStepPlans() {
  static const bool verifies = [] {
    const char* set = std::getenv("TESSERA_VERIFY_PLANS");
    return set != nullptr && absl::string_view(set) == "1";
  }();
  return verifies;
}

}  // namespace xla::cpu
