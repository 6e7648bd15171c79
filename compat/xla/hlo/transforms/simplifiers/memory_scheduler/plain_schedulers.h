// Passes that set and clear schedules without looking at memory.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_PLAIN_SCHEDULERS_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_PLAIN_SCHEDULERS_H_

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/hlo_schedule.h"
#include "xla/hlo/pass/hlo_pass_interface.h"

namespace xla {

// Orders each computation by its post-order.
class HloTrivialScheduler : public HloModulePass {
 public:
  absl::string_view name() const override { return "hlo-trivial-scheduler"; }

 protected:
  absl::StatusOr<bool> RunImpl(
      HloModule* module, const ExecutionThreads& execution_threads) override {
    HloSchedule schedule(module);
    for (HloComputation* computation :
         module->MakeComputationPostOrder(execution_threads)) {
      if (computation->IsFusionComputation()) continue;
      schedule.set_sequence(computation,
                            computation->MakeInstructionPostOrder());
    }
    TF_RETURN_IF_ERROR(module->set_schedule(std::move(schedule)));
    return true;
  }
};

class HloDescheduler : public HloModulePass {
 public:
  absl::string_view name() const override { return "hlo-descheduler"; }

 protected:
  absl::StatusOr<bool> RunImpl(
      HloModule* module, const ExecutionThreads& execution_threads) override {
    const bool was_scheduled = module->has_schedule();
    module->clear_schedule();
    return was_scheduled;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_MEMORY_SCHEDULER_PLAIN_SCHEDULERS_H_
