// Schedules that need little memory, under XLA's names. The algorithms are
// those that XLA names, but of the orders that need as much memory they may
// choose another one. Tessera's own pipeline does not use them.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_MEMORY_SCHEDULER_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_MEMORY_SCHEDULER_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_alias_analysis.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/pass/hlo_pass_interface.h"
#include "xla/hlo/transforms/simplifiers/memory_scheduler/computation_orders.h"
#include "xla/hlo/transforms/simplifiers/memory_scheduler/plain_schedulers.h"  // IWYU pragma: export
#include "xla/service/buffer_value.h"

namespace xla {

using SchedulerThreads = absl::flat_hash_set<absl::string_view>;

// Orders the computations of the threads (none: of all), but for those of
// fusions. `peak_memory`, unless null, gets the bytes that are alive at once.
class ModuleSchedulerAlgorithm {
 public:
  explicit ModuleSchedulerAlgorithm(const AliasInfo* alias_info)
      : alias_info_(alias_info) {}
  virtual ~ModuleSchedulerAlgorithm() = default;

  virtual absl::StatusOr<HloSchedule> Run(
      const HloModule* module, const HloAliasAnalysis& alias_analysis,
      const SchedulerThreads& execution_threads,
      int64_t* peak_memory) const = 0;

  const AliasInfo* alias_info() const { return alias_info_; }

 protected:
  const AliasInfo* alias_info_;
};

// Changes the order of a computation afterwards.
using SchedulerPostprocessor =
    std::function<HloInstructionSequence(const HloInstructionSequence&)>;

// Orders each computation by itself.
class ComputationSchedulerAlgorithm : public ModuleSchedulerAlgorithm {
 public:
  ComputationSchedulerAlgorithm(const AliasInfo* alias_info,
                                BufferValue::SizeFunction size_function,
                                SchedulerPostprocessor postprocessor = {})
      : ModuleSchedulerAlgorithm(alias_info),
        size_function_(std::move(size_function)),
        postprocessor_(std::move(postprocessor)) {}

  virtual absl::StatusOr<HloInstructionSequence> Run(
      HloComputation* computation,
      const HloAliasAnalysis& alias_analysis) const = 0;

  absl::StatusOr<HloSchedule> Run(const HloModule* module,
                                  const HloAliasAnalysis& alias_analysis,
                                  const SchedulerThreads& execution_threads,
                                  int64_t* peak_memory) const override {
    HloSchedule schedule(module);
    absl::flat_hash_map<const HloComputation*, int64_t> peaks;
    int64_t peak = 0;
    for (HloComputation* computation :
         module->MakeComputationPostOrder(execution_threads)) {
      if (computation->IsFusionComputation()) continue;
      TF_ASSIGN_OR_RETURN(HloInstructionSequence sequence,
                          Run(computation, alias_analysis));
      if (postprocessor_) sequence = postprocessor_(sequence);
      if (peak_memory != nullptr) {
        const memory_scheduler_internal::BufferUses uses(
            *computation, alias_analysis, size_function_);
        peaks[computation] = uses.PeakOf(sequence.instructions(), peaks);
        peak = std::max(peak, peaks[computation]);
      }
      schedule.set_sequence(computation, std::move(sequence));
    }
    if (peak_memory != nullptr) *peak_memory = peak;
    return schedule;
  }

 protected:
  memory_scheduler_internal::BufferUses UsesOf(
      const HloComputation& computation,
      const HloAliasAnalysis& alias_analysis) const {
    return memory_scheduler_internal::BufferUses(computation, alias_analysis,
                                                 size_function_);
  }

  BufferValue::SizeFunction size_function_;
  SchedulerPostprocessor postprocessor_;
};

// At each point the instruction that frees the most memory.
class ListMemoryScheduler : public ComputationSchedulerAlgorithm {
 public:
  using ComputationSchedulerAlgorithm::ComputationSchedulerAlgorithm;
  using ComputationSchedulerAlgorithm::Run;
  absl::StatusOr<HloInstructionSequence> Run(
      HloComputation* computation,
      const HloAliasAnalysis& alias_analysis) const override {
    return HloInstructionSequence(memory_scheduler_internal::ListOrder(
        *computation, UsesOf(*computation, alias_analysis)));
  }
};

// Operands just before their users, those first that need the most memory.
class DFSMemoryScheduler : public ComputationSchedulerAlgorithm {
 public:
  using ComputationSchedulerAlgorithm::ComputationSchedulerAlgorithm;
  using ComputationSchedulerAlgorithm::Run;
  absl::StatusOr<HloInstructionSequence> Run(
      HloComputation* computation,
      const HloAliasAnalysis& alias_analysis) const override {
    return HloInstructionSequence(memory_scheduler_internal::DepthFirstOrder(
        *computation, UsesOf(*computation, alias_analysis)));
  }
};

// As instructions become ready: what can run at once stands together.
class BFScheduler : public ComputationSchedulerAlgorithm {
 public:
  using ComputationSchedulerAlgorithm::ComputationSchedulerAlgorithm;
  using ComputationSchedulerAlgorithm::Run;
  absl::StatusOr<HloInstructionSequence> Run(
      HloComputation* computation,
      const HloAliasAnalysis& alias_analysis) const override {
    return HloInstructionSequence(
        memory_scheduler_internal::BreadthFirstOrder(*computation));
  }
};

// The post-order of the computation.
class PostOrderScheduler : public ComputationSchedulerAlgorithm {
 public:
  using ComputationSchedulerAlgorithm::ComputationSchedulerAlgorithm;
  using ComputationSchedulerAlgorithm::Run;
  absl::StatusOr<HloInstructionSequence> Run(
      HloComputation* computation,
      const HloAliasAnalysis& alias_analysis) const override {
    return HloInstructionSequence(computation->MakeInstructionPostOrder());
  }
};

// What needs the least memory of the schedules of the list, the depth-first and
// the post-order scheduler, the first of equal ones.
class DefaultMemoryScheduler : public ModuleSchedulerAlgorithm {
 public:
  DefaultMemoryScheduler(const AliasInfo* alias_info,
                         const BufferValue::SizeFunction& size_function,
                         const SchedulerPostprocessor& postprocessor = {})
      : ModuleSchedulerAlgorithm(alias_info),
        list_(alias_info, size_function, postprocessor),
        depth_first_(alias_info, size_function, postprocessor),
        post_order_(alias_info, size_function, postprocessor) {}

  absl::StatusOr<HloSchedule> Run(const HloModule* module,
                                  const HloAliasAnalysis& alias_analysis,
                                  const SchedulerThreads& execution_threads,
                                  int64_t* peak_memory) const override {
    std::optional<HloSchedule> best;
    int64_t least = 0;
    for (const ComputationSchedulerAlgorithm* algorithm :
         {static_cast<const ComputationSchedulerAlgorithm*>(&list_),
          static_cast<const ComputationSchedulerAlgorithm*>(&depth_first_),
          static_cast<const ComputationSchedulerAlgorithm*>(&post_order_)}) {
      int64_t peak = 0;
      TF_ASSIGN_OR_RETURN(
          HloSchedule schedule,
          algorithm->Run(module, alias_analysis, execution_threads, &peak));
      if (best.has_value() && peak >= least) continue;
      best.emplace(schedule);
      least = peak;
    }
    if (peak_memory != nullptr) *peak_memory = least;
    return *best;
  }

 private:
  ListMemoryScheduler list_;
  DFSMemoryScheduler depth_first_;
  PostOrderScheduler post_order_;
};

// Errors: those of HloAliasAnalysis and of HloSchedule::Verify.
inline absl::StatusOr<HloSchedule> ScheduleModule(
    const HloModule* module, const ModuleSchedulerAlgorithm& algorithm,
    const SchedulerThreads& execution_threads = {},
    int64_t* peak_memory = nullptr) {
  TF_ASSIGN_OR_RETURN(const std::unique_ptr<HloAliasAnalysis> aliases,
                      HloAliasAnalysis::Run(module, algorithm.alias_info()));
  TF_ASSIGN_OR_RETURN(
      HloSchedule schedule,
      algorithm.Run(module, *aliases, execution_threads, peak_memory));
  TF_RETURN_IF_ERROR(schedule.Verify());
  return schedule;
}
inline absl::StatusOr<HloSchedule> ScheduleModule(
    const HloModule* module, const AliasInfo* alias_info,
    const BufferValue::SizeFunction& size_function,
    const SchedulerThreads& execution_threads = {},
    int64_t* peak_memory = nullptr) {
  return ScheduleModule(module,
                        DefaultMemoryScheduler(alias_info, size_function),
                        execution_threads, peak_memory);
}
// The same where no op but those that alias by themselves shares buffers.
inline absl::StatusOr<HloSchedule> ScheduleModule(
    const HloModule* module, const BufferValue::SizeFunction& size_function,
    const SchedulerThreads& execution_threads = {},
    int64_t* peak_memory = nullptr) {
  const AliasInfo alias_info;
  return ScheduleModule(module, &alias_info, size_function, execution_threads,
                        peak_memory);
}

// Schedules the module, by the default algorithm unless another one is given.
class HloMemoryScheduler : public HloModulePass {
 public:
  explicit HloMemoryScheduler(
      std::unique_ptr<ModuleSchedulerAlgorithm> algorithm)
      : algorithm_(std::move(algorithm)) {}
  HloMemoryScheduler(const AliasInfo* alias_info,
                     const BufferValue::SizeFunction& size_function)
      : algorithm_(std::make_unique<DefaultMemoryScheduler>(alias_info,
                                                            size_function)) {}

  absl::string_view name() const override { return "hlo-memory-scheduler"; }

 protected:
  absl::StatusOr<bool> RunImpl(
      HloModule* module, const SchedulerThreads& execution_threads) override {
    TF_ASSIGN_OR_RETURN(HloSchedule schedule,
                        ScheduleModule(module, *algorithm_, execution_threads));
    TF_RETURN_IF_ERROR(module->set_schedule(std::move(schedule)));
    return true;
  }

 private:
  std::unique_ptr<ModuleSchedulerAlgorithm> algorithm_;
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_HLO_MEMORY_SCHEDULER_H_
