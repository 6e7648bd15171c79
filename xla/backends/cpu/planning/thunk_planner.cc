// Groups instructions by the amount of their work.
#include "xla/backends/cpu/planning/thunk_planner.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/backends/cpu/codegen/plans/work.h"
#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/backends/cpu/planning/kernel_specs.h"
#include "xla/backends/cpu/planning/local_buffers.h"
#include "xla/backends/cpu/planning/loop_operands.h"
#include "xla/backends/cpu/thunk_emitter/library_ops.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// An instruction with less work than this, or a loop whose body has less,
// shares a function with its neighbours.
constexpr double kSmallNanoseconds = 5'000;
// A kernel is split if it takes at least this many times as long as waking a
// thread ...
constexpr double kSplitWakeups = 2;
// ... into tasks that take this many times as long.
constexpr double kTaskWakeups = 1;
// The most instructions of a sequence, without and with those in their fusions
// and bodies: the time to compile longer functions grows faster than their
// length.
constexpr size_t kMaxSequence = 200;
constexpr int64_t kMaxSequenceSize = 500;
// The most instructions of a loop or conditional, which gains more from being
// one function.
constexpr int64_t kMaxLoopSize = 2000;
// From this many on, consecutive copies become a list and not code.
constexpr size_t kManyCopies = 32;

bool CallsLibrary(const HloInstruction& instruction) {
  return IsLibraryOp(instruction) && !IsSmallDot(instruction);
}

class Planner {
 public:
  Planner(const BufferAssignment& assignment, const RunCosts& costs,
          const TargetInfo& target)
      : assignment_(assignment),
        run_costs_(costs),
        target_(target),
        model_(target),
        wake_ns_(model_.machine().wake_ns) {}

  absl::StatusOr<ThunkPlan> Plan(const HloModule& module) {
    TF_RETURN_IF_ERROR(PlanComputation(module.entry_computation()));
    Flush();
    plan_.kernels = MakeKernels(module, assignment_, run_costs_, plan_.thunks,
                                std::move(requests_));
    return std::move(plan_);
  }

 private:
  // Returns the nanoseconds of an instruction in a sequence, for loops of one
  // iteration; nullopt if it cannot be in a sequence.
  std::optional<double> SequenceCost(const HloInstruction& instruction) {
    if (IsMemoryName(instruction.opcode())) return 0;
    if (HasBodies(instruction)) {
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
    return FindWork(instruction).nanoseconds();
  }

  const Work& FindWork(const HloInstruction& instruction) {
    const auto [it, is_new] = works_.try_emplace(&instruction);
    if (is_new) {
      it->second = WorkOf(instruction, target_,
                          run_costs_.CodeOf(instruction, model_).nanoseconds);
    }
    return it->second;
  }

  // Returns the number of instructions of an instruction and its computations,
  // each counted as often as it is called, but at most kMaxLoopSize + 1.
  int64_t SizeOf(const HloInstruction& instruction) {
    int64_t size = 1;
    for (const HloComputation* called : instruction.called_computations()) {
      auto [it, fresh] = sizes_.try_emplace(called, 0);
      if (fresh) {
        int64_t inside = 0;
        for (const auto& inner : called->instructions()) {
          inside += SizeOf(*inner);
        }
        sizes_[called] = inside;
      }
      size += sizes_[called];
      size = std::min(size, kMaxLoopSize + 1);
    }
    return size;
  }

  absl::Status PlanComputation(const HloComputation* computation) {
    for (const auto& instruction : computation->instructions()) {
      TF_RETURN_IF_ERROR(PlanInstruction(*instruction));
    }
    return absl::OkStatus();
  }

  absl::Status PlanInstruction(const HloInstruction& instruction) {
    if (IsMemoryName(instruction.opcode())) return absl::OkStatus();
    const std::optional<double> cost = SequenceCost(instruction);
    const int64_t size = SizeOf(instruction);
    // The computations of a larger loop are planned in turn.
    const bool fits = size <= kMaxLoopSize || !HasBodies(instruction);
    if (cost.has_value() && *cost < kSmallNanoseconds && fits) {
      if (sequence_size_ + size > kMaxSequenceSize) Flush();
      sequence_.push_back(&instruction);
      sequence_size_ += size;
      if (sequence_.size() >= kMaxSequence) Flush();
      return absl::OkStatus();
    }
    switch (instruction.opcode()) {
      case HloOpcode::kWhile:
        Flush();
        return PlanWhile(instruction);
      case HloOpcode::kConditional:
        Flush();
        return PlanConditional(instruction);
      default:
        break;
    }
    // A sequence that does not conflict with the instruction may continue after
    // it.
    if (!MayPassSequence(instruction)) Flush();
    switch (instruction.opcode()) {
      case HloOpcode::kCopy:
        Add({PlannedThunk::Kind::kCopy, &instruction});
        return absl::OkStatus();
      default:
        break;
    }
    if (CallsLibrary(instruction)) {
      AddLibrary(instruction);
      return absl::OkStatus();
    }
    if (CodeFamilyOf(instruction) == CodeFamily::kNone) {
      return absl::UnimplementedError(
          absl::StrCat("the CPU compiler cannot run ", instruction.ToString()));
    }
    KernelRequest kernel{.name = instruction.name(),
                         .instructions = {&instruction}};
    const Work work = FindWork(instruction);
    kernel.workgroups = work.workgroups;
    kernel.workgroups_per_task = std::max<int64_t>(work.workgroups, 1);
    if (work.nanoseconds() >= kSplitWakeups * wake_ns_) {
      kernel.workgroups_per_task =
          std::max<int64_t>(1, std::llround(kTaskWakeups * wake_ns_ /
                                            work.nanoseconds_per_workgroup));
      kernel.joins_workgroups =
          CodeFamilyOf(instruction) == CodeFamily::kScatter;
    }
    AddKernel(std::move(kernel));
    return absl::OkStatus();
  }

  absl::Status PlanWhile(const HloInstruction& loop) {
    const int64_t test = plan_.labels++;
    const int64_t end = plan_.labels++;
    PlanPacking(loop);
    Add({PlannedThunk::Kind::kLabel, nullptr, test});
    TF_RETURN_IF_ERROR(PlanComputation(loop.while_condition()));
    Flush();
    Add({PlannedThunk::Kind::kJumpIfFalse,
         loop.while_condition()->root_instruction(), end});
    TF_RETURN_IF_ERROR(PlanComputation(loop.while_body()));
    Flush();
    Add({PlannedThunk::Kind::kJump, &loop, test});
    Add({PlannedThunk::Kind::kLabel, nullptr, end});
    return absl::OkStatus();
  }

  // Packs operands before the outermost loop in which they do not change.
  void PlanPacking(const HloInstruction& loop) {
    for (LoopOperand& operand : InvariantRightOperands(loop)) {
      std::vector<const HloInstruction*>& products = operand.products;
      std::erase_if(products, [this](const HloInstruction* product) {
        return !packed_.insert(product).second;
      });
      if (products.empty()) continue;
      Add({PlannedThunk::Kind::kPack, operand.value,
           static_cast<int64_t>(plan_.packs.size())});
      plan_.packs.push_back(std::move(products));
    }
  }

  absl::Status PlanConditional(const HloInstruction& conditional) {
    const int64_t end = plan_.labels++;
    PlannedThunk choice{PlannedThunk::Kind::kSwitch, &conditional};
    for (size_t i = 0; i < conditional.called_computations().size(); ++i) {
      choice.targets.push_back(plan_.labels++);
    }
    Add(choice);
    for (size_t i = 0; i < choice.targets.size(); ++i) {
      Add({PlannedThunk::Kind::kLabel, nullptr, choice.targets[i]});
      TF_RETURN_IF_ERROR(PlanComputation(conditional.branch_computation(i)));
      Flush();
      Add({PlannedThunk::Kind::kJump, &conditional, end});
    }
    Add({PlannedThunk::Kind::kLabel, nullptr, end});
    return absl::OkStatus();
  }

  // Whether `instruction` may run before the current sequence.
  bool MayPassSequence(const HloInstruction& instruction) const {
    constexpr size_t kLongest = 8;
    auto is_pure = [](const HloInstruction& hlo) {
      return hlo.opcode() == HloOpcode::kFusion ||
             (!hlo.HasSideEffect() && hlo.called_computations().empty());
    };
    return sequence_.size() <= kLongest && is_pure(instruction) &&
           std::all_of(sequence_.begin(), sequence_.end(),
                       [&](const HloInstruction* before) {
                         return is_pure(*before) &&
                                !MemoryConflict(assignment_, *before,
                                                instruction);
                       });
  }

  // Ends the current sequence.
  void Flush() {
    const std::vector<const HloInstruction*> all = std::move(sequence_);
    sequence_.clear();
    sequence_size_ = 0;
    auto begin = all.begin();
    for (auto it = begin; it != all.end();) {
      const auto end = std::find_if(it, all.end(), [](const auto* hlo) {
        return hlo->opcode() != HloOpcode::kCopy;
      });
      if (static_cast<size_t>(end - it) >= kManyCopies) {
        AddSequence({begin, it});
        AddCopies({it, end});
        begin = end;
      }
      it = end == all.end() ? end : end + 1;
    }
    AddSequence({begin, all.end()});
  }

  void AddSequence(std::vector<const HloInstruction*> instructions) {
    if (instructions.empty()) return;
    KernelRequest kernel{.name = instructions.back()->name(),
                         .instructions = std::move(instructions)};
    if (!IsSequence(kernel.instructions)) {
      kernel.workgroups = FindWork(*kernel.instructions[0]).workgroups;
      kernel.workgroups_per_task = std::max<int64_t>(kernel.workgroups, 1);
    }
    AddKernel(std::move(kernel));
  }

  void AddCopies(std::vector<const HloInstruction*> copies) {
    Add({PlannedThunk::Kind::kCopies, copies.back(),
         static_cast<int64_t>(plan_.copies.size())});
    plan_.copies.push_back(std::move(copies));
  }

  // Adds a library thunk, with the kernels that it calls, which have no thunks
  // of their own.
  void AddLibrary(const HloInstruction& instruction) {
    PlannedThunk thunk{.kind = PlannedThunk::Kind::kLibrary,
                       .instruction = &instruction,
                       .targets = {},
                       .early = !sequence_.empty()};
    const std::vector<NativeKernel> kernels = NativeKernelsOf(instruction);
    if (!kernels.empty()) thunk.index = requests_.size();
    for (const NativeKernel& native : kernels) {
      if (native.rows != nullptr) {
        requests_.push_back({.name = native.rows->name(),
                             .instructions = {native.rows},
                             .block = native.block,
                             .column_range = native.column_range,
                             .row_columns = native.columns});
      } else {
        requests_.push_back(
            {.name = native.mapped->name(), .mapped = native.mapped});
      }
    }
    Add(std::move(thunk));
  }

  void AddKernel(KernelRequest kernel) {
    kernel.thunk = plan_.thunks.size();
    Add({PlannedThunk::Kind::kKernel, kernel.instructions.back(),
         static_cast<int64_t>(requests_.size())});
    requests_.push_back(std::move(kernel));
  }

  void Add(PlannedThunk thunk) { plan_.thunks.push_back(std::move(thunk)); }

  const BufferAssignment& assignment_;
  const RunCosts& run_costs_;
  const TargetInfo& target_;
  const CpuCostModel model_;
  const double wake_ns_;
  ThunkPlan plan_;
  std::vector<KernelRequest> requests_;
  std::vector<const HloInstruction*> sequence_;
  int64_t sequence_size_ = 0;
  // The products whose right operand is packed before a loop.
  absl::flat_hash_set<const HloInstruction*> packed_;
  absl::flat_hash_map<const HloInstruction*, std::optional<double>> costs_;
  absl::flat_hash_map<const HloComputation*, int64_t> sizes_;
  absl::flat_hash_map<const HloInstruction*, Work> works_;
};

}  // namespace

absl::StatusOr<ThunkPlan> PlanThunks(const HloModule& module,
                                     const BufferAssignment& assignment,
                                     const RunCosts& costs,
                                     const TargetInfo& target) {
  return Planner(assignment, costs, target).Plan(module);
}

}  // namespace xla::cpu
