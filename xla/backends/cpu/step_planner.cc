// Grouping of instructions by the work they are.
#include "xla/backends/cpu/step_planner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/work.h"
#include "xla/backends/cpu/lowering/library_ops.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/leaves.h"

namespace xla::cpu {
namespace {

// An instruction with less work than this, or a loop whose body has, shares a
// function with its neighbours.
constexpr double kSmallNanoseconds = 5'000;
// From here on a kernel is split: waking a thread takes some 5 us.
constexpr double kSplitNanoseconds = 30'000;
// Work of a task.
constexpr double kTaskNanoseconds = 15'000;
// Arrays up to here may live on the stack, and so many bytes of a function.
constexpr int64_t kLocalBytes = 2048;
constexpr int64_t kLocalBytesOfFunction = 64 << 10;
// Longer functions compile in more than proportional time.
constexpr int kMaxSequence = 200;

// Ops that only name memory that is there.
bool IsName(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kParameter:
    case HloOpcode::kConstant:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kBitcast:
    case HloOpcode::kAddDependency:
    case HloOpcode::kAfterAll:
    case HloOpcode::kDomain:
    case HloOpcode::kOptimizationBarrier:
      return true;
    default:
      return false;
  }
}

bool CallsLibrary(const HloInstruction& instruction) {
  return IsLibraryOp(instruction) && !IsSmallDot(instruction);
}

class Planner {
 public:
  Planner(const BufferAssignment& assignment, const TargetInfo& target)
      : assignment_(assignment), target_(target) {}

  absl::StatusOr<StepPlan> Plan(const HloModule& module) {
    CountUses(module);
    TF_RETURN_IF_ERROR(PlanComputation(module.entry_computation()));
    Flush();
    return std::move(plan_);
  }

 private:
  // Nanoseconds of an instruction in a sequence, of one iteration for loops;
  // nullopt if it cannot be in one.
  std::optional<double> SequenceCost(const HloInstruction& instruction) {
    if (IsName(instruction)) return 0;
    if (instruction.opcode() == HloOpcode::kWhile ||
        instruction.opcode() == HloOpcode::kConditional) {
      auto [it, fresh] = costs_.try_emplace(&instruction, std::nullopt);
      if (!fresh) return it->second;
      double sum = 0;
      for (const HloComputation* body : instruction.called_computations()) {
        for (const auto& inner : body->instructions()) {
          const std::optional<double> cost = SequenceCost(*inner);
          if (!cost.has_value()) return std::nullopt;
          sum += *cost;
        }
      }
      costs_[&instruction] = sum;
      return sum;
    }
    if (CallsLibrary(instruction)) return std::nullopt;
    if (CodeFamilyOf(instruction) == CodeFamily::kNone) return std::nullopt;
    return WorkOf(instruction, target_).nanoseconds();
  }

  absl::Status PlanComputation(const HloComputation* computation) {
    for (const auto& instruction : computation->instructions()) {
      TF_RETURN_IF_ERROR(PlanInstruction(*instruction));
    }
    return absl::OkStatus();
  }

  absl::Status PlanInstruction(const HloInstruction& instruction) {
    if (IsName(instruction)) return absl::OkStatus();
    const std::optional<double> cost = SequenceCost(instruction);
    if (cost.has_value() && *cost < kSmallNanoseconds) {
      sequence_.push_back(&instruction);
      if (sequence_.size() >= kMaxSequence) Flush();
      return absl::OkStatus();
    }
    Flush();
    switch (instruction.opcode()) {
      case HloOpcode::kWhile:
        return PlanWhile(instruction);
      case HloOpcode::kConditional:
        return PlanConditional(instruction);
      case HloOpcode::kCopy:
        Add({PlannedStep::Kind::kCopy, &instruction});
        return absl::OkStatus();
      default:
        break;
    }
    if (CallsLibrary(instruction)) {
      Add({PlannedStep::Kind::kLibrary, &instruction});
      return absl::OkStatus();
    }
    if (CodeFamilyOf(instruction) == CodeFamily::kNone) {
      return absl::UnimplementedError(
          absl::StrCat("the CPU compiler cannot run ", instruction.ToString()));
    }
    PlannedKernel kernel;
    kernel.spec = {.name = instruction.name(), .instructions = {&instruction}};
    const Work work = WorkOf(instruction, target_);
    kernel.items = work.items;
    kernel.items_per_task = std::max<int64_t>(work.items, 1);
    if (work.nanoseconds() >= kSplitNanoseconds) {
      kernel.items_per_task = std::max<int64_t>(
          1, std::llround(kTaskNanoseconds / work.nanoseconds_per_item));
    }
    AddKernel(std::move(kernel));
    return absl::OkStatus();
  }

  absl::Status PlanWhile(const HloInstruction& loop) {
    const int64_t test = plan_.labels++;
    const int64_t end = plan_.labels++;
    Add({PlannedStep::Kind::kLabel, nullptr, test});
    TF_RETURN_IF_ERROR(PlanComputation(loop.while_condition()));
    Flush();
    Add({PlannedStep::Kind::kJumpIfFalse,
         loop.while_condition()->root_instruction(), end});
    TF_RETURN_IF_ERROR(PlanComputation(loop.while_body()));
    Flush();
    Add({PlannedStep::Kind::kJump, &loop, test});
    Add({PlannedStep::Kind::kLabel, nullptr, end});
    return absl::OkStatus();
  }

  absl::Status PlanConditional(const HloInstruction& conditional) {
    const int64_t end = plan_.labels++;
    PlannedStep choice{PlannedStep::Kind::kSwitch, &conditional};
    for (size_t i = 0; i < conditional.called_computations().size(); ++i) {
      choice.targets.push_back(plan_.labels++);
    }
    Add(choice);
    for (size_t i = 0; i < choice.targets.size(); ++i) {
      Add({PlannedStep::Kind::kLabel, nullptr, choice.targets[i]});
      TF_RETURN_IF_ERROR(PlanComputation(conditional.branch_computation(i)));
      Flush();
      Add({PlannedStep::Kind::kJump, &conditional, end});
    }
    Add({PlannedStep::Kind::kLabel, nullptr, end});
    return absl::OkStatus();
  }

  // Ends the sequence under way.
  void Flush() {
    if (sequence_.empty()) return;
    PlannedKernel kernel;
    kernel.spec = {.name = sequence_.back()->name(),
                   .instructions = std::move(sequence_)};
    sequence_.clear();
    if (!kernel.spec.is_sequence()) {
      kernel.items = WorkOf(*kernel.spec.instructions[0], target_).items;
      kernel.items_per_task = std::max<int64_t>(kernel.items, 1);
    }
    FindLocalBuffers(kernel.spec);
    AddKernel(std::move(kernel));
  }

  void AddKernel(PlannedKernel kernel) {
    Add({PlannedStep::Kind::kKernel, kernel.spec.instructions.back(),
         static_cast<int64_t>(plan_.kernels.size())});
    plan_.kernels.push_back(std::move(kernel));
  }

  void Add(PlannedStep step) { plan_.steps.push_back(std::move(step)); }

  // Calls f(buffer, slice) for each leaf with memory that `instruction` and
  // what it calls write or read.
  template <typename F>
  void ForEachUse(const HloInstruction& instruction, const F& f) const {
    if (IsName(instruction)) return;
    auto use = [&](const HloInstruction* value) {
      const int leaves = LeafCount(value->shape());
      for (int leaf = 0; leaf < leaves; ++leaf) {
        const int64_t buffer = assignment_.buffer_id(value, leaf);
        if (buffer >= 0) f(buffer, assignment_.slice(value, leaf));
      }
    };
    use(&instruction);
    for (const HloInstruction* operand : instruction.operands()) use(operand);
    if (instruction.opcode() == HloOpcode::kWhile) {
      use(instruction.while_condition()->root_instruction());
    }
    if (instruction.opcode() == HloOpcode::kWhile ||
        instruction.opcode() == HloOpcode::kConditional) {
      for (const HloComputation* body : instruction.called_computations()) {
        for (const auto& inner : body->instructions()) ForEachUse(*inner, f);
      }
    }
  }

  void CountUses(const HloModule& module) {
    for (const auto& instruction : module.entry_computation()->instructions()) {
      ForEachUse(*instruction,
                 [&](int64_t buffer, const BufferSlice&) { ++uses_[buffer]; });
    }
  }

  // Temporary buffers all of whose uses are in the kernel.
  void FindLocalBuffers(KernelSpec& kernel) const {
    absl::flat_hash_map<int64_t, int64_t> inside;
    absl::flat_hash_map<int64_t, int64_t> sizes;
    for (const HloInstruction* instruction : kernel.instructions) {
      ForEachUse(*instruction, [&](int64_t buffer, const BufferSlice& slice) {
        if (slice.allocation != assignment_.temp_allocation()) {
          return;
        }
        ++inside[buffer];
        sizes[buffer] = slice.size;
      });
    }
    std::vector<std::pair<int64_t, int64_t>> local;  // size, buffer
    for (const auto& [buffer, count] : inside) {
      if (sizes[buffer] <= kLocalBytes && count == uses_.at(buffer)) {
        local.push_back({sizes[buffer], buffer});
      }
    }
    // Small ones first, in an order that does not depend on hashing.
    std::sort(local.begin(), local.end());
    int64_t bytes = 0;
    for (const auto& [size, buffer] : local) {
      bytes += std::max<int64_t>(64, size);
      if (bytes > kLocalBytesOfFunction) break;
      kernel.local_buffers.insert(buffer);
    }
  }

  const BufferAssignment& assignment_;
  const TargetInfo& target_;
  StepPlan plan_;
  std::vector<const HloInstruction*> sequence_;
  absl::flat_hash_map<int64_t, int64_t> uses_;  // by buffer
  absl::flat_hash_map<const HloInstruction*, std::optional<double>> costs_;
};

}  // namespace

absl::StatusOr<StepPlan> PlanSteps(const HloModule& module,
                                   const BufferAssignment& assignment,
                                   const TargetInfo& target) {
  return Planner(assignment, target).Plan(module);
}

}  // namespace xla::cpu
