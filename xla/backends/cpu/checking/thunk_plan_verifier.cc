// A walk over the thunks, which does what the executor does with names in place
// of numbers.
#include "xla/backends/cpu/checking/thunk_plan_verifier.h"

#include <cstdlib>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/planning/kernel_frames.h"
#include "xla/backends/cpu/planning/memory_uses.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla::cpu {
namespace {

using ThunkKind = PlannedThunk::Kind;

class PlanRun {
 public:
  PlanRun(const HloModule& module, const BufferAssignment& assignment,
          const ThunkPlan& plan, const BufferSimulation::Options& options)
      : assignment_(assignment),
        plan_(plan),
        simulation_(module, assignment, options) {
    labels_.assign(plan.labels, -1);
    for (size_t i = 0; i < plan.thunks.size(); ++i) {
      const PlannedThunk& thunk = plan.thunks[i];
      if (thunk.kind == ThunkKind::kLabel) labels_[thunk.index] = i;
      if (thunk.kind == ThunkKind::kJump &&
          thunk.instruction->opcode() == HloOpcode::kWhile) {
        loops_[thunk.index] = thunk.instruction;
        loop_of_condition_[thunk.instruction->while_condition()] =
            thunk.instruction;
      }
    }
  }

  absl::Status Run() {
    const int64_t end = plan_.thunks.size();
    for (int64_t at = 0; at < end;) {
      TF_ASSIGN_OR_RETURN(at, RunThunk(at));
    }
    return simulation_.CheckResults();
  }

 private:
  // The number of the thunk that comes next.
  absl::StatusOr<int64_t> RunThunk(int64_t at) {
    const PlannedThunk& thunk = plan_.thunks[at];
    switch (thunk.kind) {
      case ThunkKind::kKernel:
        TF_RETURN_IF_ERROR(RunKernel(plan_.kernels[thunk.index].spec));
        break;
      case ThunkKind::kLibrary:
        simulation_.WriteScratch(
            thunk.early ? assignment_.temp_bytes()
                        : assignment_.arena_free_from(thunk.instruction));
        TF_RETURN_IF_ERROR(simulation_.RunInstruction(*thunk.instruction));
        break;
      case ThunkKind::kCopy:
        TF_RETURN_IF_ERROR(simulation_.RunInstruction(*thunk.instruction));
        break;
      case ThunkKind::kCopies:
        for (const HloInstruction* copy : plan_.copies[thunk.index]) {
          TF_RETURN_IF_ERROR(simulation_.RunInstruction(*copy));
        }
        break;
      case ThunkKind::kLabel:
        // A jump back goes behind the label, so this is a loop's first
        // iteration.
        if (auto loop = loops_.find(thunk.index); loop != loops_.end()) {
          TF_RETURN_IF_ERROR(simulation_.StartLoop(*loop->second));
        }
        break;
      case ThunkKind::kJump:
        if (thunk.instruction->opcode() == HloOpcode::kWhile) {
          TF_RETURN_IF_ERROR(simulation_.EndIteration(*thunk.instruction));
        } else {
          TF_RETURN_IF_ERROR(simulation_.EndBranch(
              *thunk.instruction, branches_.at(thunk.instruction)));
        }
        return labels_[thunk.index] + 1;
      case ThunkKind::kJumpIfFalse: {
        const HloInstruction& loop =
            *loop_of_condition_.at(thunk.instruction->parent());
        TF_ASSIGN_OR_RETURN(const bool goes_on, simulation_.LoopGoesOn(loop));
        if (!goes_on) return labels_[thunk.index] + 1;
        break;
      }
      case ThunkKind::kSwitch: {
        TF_ASSIGN_OR_RETURN(const int branch,
                            simulation_.StartBranch(*thunk.instruction));
        branches_[thunk.instruction] = branch;
        return labels_[thunk.targets[branch]] + 1;
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
  const ThunkPlan& plan_;
  BufferSimulation simulation_;
  std::vector<int64_t> labels_;                                // thunk of each
  absl::flat_hash_map<int64_t, const HloInstruction*> loops_;  // by label
  absl::flat_hash_map<const HloComputation*, const HloInstruction*>
      loop_of_condition_;
  // The branch under way of each conditional.
  absl::flat_hash_map<const HloInstruction*, int> branches_;
};

// Holds the frame of one kernel against the memory that its instructions have.
class FrameCheck {
 public:
  FrameCheck(const BufferAssignment& assignment, const KernelSpec& spec)
      : assignment_(assignment), spec_(spec) {}

  absl::Status Run() const {
    for (const auto& [buffer, local] : spec_.local_buffers) {
      if (!local.loaded && !local.stored) continue;
      if (!spec_.frame.HasLocal(buffer) ||
          !Holds(spec_.frame.local_place(buffer), local.slice, local.stored)) {
        return Wrong("a local buffer");
      }
    }
    for (const HloInstruction* instruction : spec_.instructions) {
      TF_RETURN_IF_ERROR(CheckInstruction(*instruction));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status CheckInstruction(const HloInstruction& instruction) const {
    if (IsMemoryName(instruction.opcode())) return absl::OkStatus();
    std::vector<MemoryUse> uses;
    ForEachOwnUse(assignment_, instruction, 0, [&](const MemoryUse& use) {
      if (use.buffer >= 0 && !IsImmediate(*use.value)) uses.push_back(use);
    });
    for (const MemoryUse& use : uses) {
      if (!spec_.frame.Has(use.value, use.leaf)) return Wrong(instruction);
      if (spec_.local_buffers.contains(use.buffer)) continue;
      if (!Holds(PlaceOf(use), SliceOf(use), use.written)) {
        return Wrong(instruction);
      }
      for (const MemoryUse& other : uses) {
        if (use.written && SliceOf(use).Overlaps(SliceOf(other)) &&
            !spec_.local_buffers.contains(other.buffer) &&
            !spec_.frame.MayShareMemory(PlaceOf(use), PlaceOf(other))) {
          return Wrong(instruction);
        }
      }
    }
    if (!HasBodies(instruction)) return absl::OkStatus();
    for (const HloComputation* body : instruction.called_computations()) {
      for (const auto& inner : body->instructions()) {
        TF_RETURN_IF_ERROR(CheckInstruction(*inner));
      }
    }
    return absl::OkStatus();
  }

  const BufferSlice& SliceOf(const MemoryUse& use) const {
    return assignment_.slice(use.value, use.leaf);
  }
  const KernelFrame::Place& PlaceOf(const MemoryUse& use) const {
    return spec_.frame.place(use.value, use.leaf);
  }
  bool Holds(const KernelFrame::Place& place, const BufferSlice& slice,
             bool written) const {
    if (place.array < 0) return false;
    const KernelArray& array = spec_.frame.arrays()[place.array];
    return array.slice.allocation == slice.allocation &&
           array.slice.offset + place.offset == slice.offset &&
           place.offset + slice.size <= array.slice.size &&
           (array.written || !written);
  }
  absl::Status Wrong(const HloInstruction& instruction) const {
    return Wrong(instruction.name());
  }
  absl::Status Wrong(absl::string_view what) const {
    return absl::InternalError(
        absl::StrCat("plan of thunks: the arrays of kernel ", spec_.name,
                     " are not where the memory of ", what, " is"));
  }

  const BufferAssignment& assignment_;
  const KernelSpec& spec_;
};

}  // namespace

absl::Status VerifyThunkPlan(const HloModule& module,
                             const BufferAssignment& assignment,
                             const ThunkPlan& plan,
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
          absl::StrCat("plan of thunks: ", status.message()));
    }
  }
  for (const PlannedThunk& thunk : plan.thunks) {
    if (thunk.kind != ThunkKind::kKernel) continue;
    TF_RETURN_IF_ERROR(
        FrameCheck(assignment, plan.kernels[thunk.index].spec).Run());
  }
  return absl::OkStatus();
}

bool VerifiesThunkPlans() {
  static const bool verifies = [] {
    const char* set = std::getenv("TESSERA_VERIFY_PLANS");
    return set != nullptr && absl::string_view(set) == "1";
  }();
  return verifies;
}

}  // namespace xla::cpu
