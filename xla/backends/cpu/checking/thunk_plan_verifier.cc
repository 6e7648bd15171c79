// Walks over the thunks as the executor does, with names of values in place of
// their elements.
#include "xla/backends/cpu/checking/thunk_plan_verifier.h"

#include <cstdlib>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/analysis/cpu_alias_info.h"
#include "xla/backends/cpu/checking/buffer_use_check.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/planning/kernel_frames.h"
#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/planning/memory_uses.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/buffer_simulation.h"

namespace xla::cpu {
namespace {

using ThunkKind = PlannedThunk::Kind;

// Whether a thunk may leave operands of the instruction unread, because it
// needs only a part of them, such as a size, or because they only set an order.
bool ReadsPartOfOperands(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kGetDimensionSize:
    case HloOpcode::kRecvDone:
    case HloOpcode::kSendDone:
    case HloOpcode::kSetDimensionSize:
      return true;
    default:
      return false;
  }
}

class PlanRun {
 public:
  PlanRun(const HloModule& module, const BufferAssignment& assignment,
          const ThunkPlan& plan, absl::Span<const Thunk* const> thunks,
          const BufferSimulation::Options& options)
      : assignment_(assignment),
        plan_(plan),
        thunks_(thunks),
        simulation_(module, alias_info_, assignment, options) {
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
      BufferUses uses;
      simulation_.RecordUses(&uses);
      TF_ASSIGN_OR_RETURN(const int64_t next, RunThunk(at));
      if (!thunks_.empty()) TF_RETURN_IF_ERROR(CheckUses(at, uses));
      at = next;
    }
    return simulation_.CheckResults();
  }

 private:
  // Returns the number of the next thunk.
  absl::StatusOr<int64_t> RunThunk(int64_t at) {
    const PlannedThunk& thunk = plan_.thunks[at];
    switch (thunk.kind) {
      case ThunkKind::kKernel:
        TF_RETURN_IF_ERROR(RunKernel(plan_.kernels[thunk.index].spec));
        break;
      case ThunkKind::kLibrary:
        simulation_.WriteScratch(ScratchFrom(at));
        TF_RETURN_IF_ERROR(simulation_.RunInstruction(*thunk.instruction));
        break;
      case ThunkKind::kPack:
        // There is no thunk where packing does not pay.
        if (!thunks_.empty() && thunks_[at] == nullptr) break;
        TF_RETURN_IF_ERROR(simulation_.Read(*thunk.instruction));
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

  // Returns the byte of the arena from which on a library thunk may have
  // scratch.
  int64_t ScratchFrom(int64_t at) const {
    if (thunks_.empty()) {
      const PlannedThunk& thunk = plan_.thunks[at];
      return thunk.early ? assignment_.temp_bytes()
                         : assignment_.arena_free_from(thunk.instruction);
    }
    const Thunk* thunk = thunks_[at];
    return thunk == nullptr || thunk->scratch_from() < 0
               ? assignment_.temp_bytes()
               : thunk->scratch_from();
  }

  // Checks that thunk `at` declares the uses that its simulation recorded.
  absl::Status CheckUses(int64_t at, const BufferUses& used) const {
    const Thunk* thunk = thunks_[at];
    const PlannedThunk& planned = plan_.thunks[at];
    const BufferUses declared =
        thunk == nullptr ? BufferUses() : thunk->buffer_uses();
    const auto name = [&] {
      return thunk == nullptr ? absl::StrCat("no thunk for ",
                                             planned.instruction == nullptr
                                                 ? "a label"
                                                 : planned.instruction->name())
                              : absl::StrCat(thunk->kind(), " ", thunk->name());
    };
    const std::optional<BufferUse> missing = FirstUncovered(used, declared);
    if (missing.has_value() && !(missing->kind == BufferUse::Kind::kRead &&
                                 planned.kind == ThunkKind::kLibrary &&
                                 ReadsPartOfOperands(*planned.instruction))) {
      return absl::InternalError(
          absl::StrCat(name(), " does not declare that it ",
                       DescribeUse(*missing), ", as its instructions do"));
    }
    if (planned.kind == ThunkKind::kKernel &&
        absl::c_any_of(
            plan_.kernels[planned.index].spec.instructions,
            [](const HloInstruction* hlo) { return HasBodies(*hlo); })) {
      return absl::OkStatus();
    }
    const std::optional<BufferUse> extra = FirstUncovered(declared, used);
    if (!extra.has_value()) return absl::OkStatus();
    return absl::InternalError(
        absl::StrCat(name(), " declares that it ", DescribeUse(*extra),
                     ", which none of its instructions does"));
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
  const CpuAliasInfo alias_info_;
  const absl::Span<const Thunk* const> thunks_;
  BufferSimulation simulation_;
  std::vector<int64_t> labels_;                                // thunk of each
  absl::flat_hash_map<int64_t, const HloInstruction*> loops_;  // by label
  absl::flat_hash_map<const HloComputation*, const HloInstruction*>
      loop_of_condition_;
  // The current branch of each conditional.
  absl::flat_hash_map<const HloInstruction*, int> branches_;
};

// Checks that no thunk of one chain conflicts with one of another.
absl::Status CheckChains(const ConcurrentThunk& group,
                         const BufferAssignment& assignment) {
  std::vector<size_t> chain_of(group.thunks().size());
  for (size_t chain = 0; chain < group.chains().size(); ++chain) {
    for (const int thunk : group.chains()[chain]) chain_of[thunk] = chain;
  }
  for (size_t i = 0; i < chain_of.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      const Thunk& first = *group.thunks()[k];
      const Thunk& second = *group.thunks()[i];
      if (chain_of[i] == chain_of[k] ||
          !Conflict(assignment, first.buffer_uses(), second.buffer_uses())) {
        continue;
      }
      return absl::InternalError(absl::StrCat(
          first.kind(), " ", first.name(), " and ", second.kind(), " ",
          second.name(), " run side by side, but one writes what the other ",
          "uses"));
    }
  }
  return absl::OkStatus();
}

// Compares the frame of one kernel with the memory of its instructions.
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
                             absl::Span<const Thunk* const> thunks,
                             const BufferVerifierOptions& options) {
  const auto prefixed = [](const absl::Status& status) {
    return absl::InternalError(
        absl::StrCat("plan of thunks: ", status.message()));
  };
  for (const Thunk* thunk : thunks) {
    if (thunk == nullptr) continue;
    const absl::Status status = CheckPlacement(*thunk, assignment);
    if (!status.ok()) return prefixed(status);
  }
  for (int run = 0; run < options.runs; ++run) {
    // Every other run has donated parameters.
    PlanRun simulated(module, assignment, plan, thunks,
                      {.seed = static_cast<uint64_t>(run),
                       .donated = run % 2 == 1,
                       .most_steps = options.most_steps});
    const absl::Status status = simulated.Run();
    if (!status.ok()) return prefixed(status);
  }
  for (const PlannedThunk& thunk : plan.thunks) {
    if (thunk.kind != ThunkKind::kKernel) continue;
    TF_RETURN_IF_ERROR(
        FrameCheck(assignment, plan.kernels[thunk.index].spec).Run());
  }
  return absl::OkStatus();
}

absl::Status VerifyConcurrency(const BufferAssignment& assignment,
                               const ThunkSequence& sequence) {
  for (const auto& thunk : sequence) {
    const auto* group = dynamic_cast<const ConcurrentThunk*>(thunk.get());
    if (group == nullptr) continue;
    absl::Status status = CheckPlacement(*group, assignment);
    if (status.ok()) status = CheckChains(*group, assignment);
    if (!status.ok()) {
      return absl::InternalError(
          absl::StrCat("plan of thunks: ", status.message()));
    }
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
