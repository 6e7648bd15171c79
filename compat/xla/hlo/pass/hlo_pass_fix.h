// HloPassFix: runs a pass until it changes nothing any more.
#ifndef COMPAT_XLA_HLO_PASS_HLO_PASS_FIX_H_
#define COMPAT_XLA_HLO_PASS_HLO_PASS_FIX_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass_interface.h"

namespace xla {

// Gives up, with a warning, after kIterationLimit runs.
template <typename Pass, int kIterationLimit = 25>
class HloPassFix : public Pass {
 public:
  using Pass::Pass;
  using Pass::Run;

  absl::StatusOr<bool> Run(
      HloModule* module,
      const HloPassInterface::ExecutionThreads& threads) override {
    return RunToFixPoint([&] { return Pass::Run(module, threads); });
  }

 private:
  template <typename RunOnce>
  absl::StatusOr<bool> RunToFixPoint(const RunOnce& run_once) {
    bool changed = false;
    for (int i = 0; i < kIterationLimit; ++i) {
      TF_ASSIGN_OR_RETURN(const bool now, run_once());
      if (!now) return changed;
      changed = true;
    }
    LOG(WARNING) << this->name() << " still changes the module after "
                 << kIterationLimit << " runs";
    return changed;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_PASS_HLO_PASS_FIX_H_
