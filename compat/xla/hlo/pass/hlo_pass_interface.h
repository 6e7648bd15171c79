// HloPassInterface, and HloModulePass, whose passes are told which threads'
// computations they may change.
#ifndef COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
#define COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/base/errors.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"  // IWYU pragma: export

namespace xla {

// A pass overrides RunImpl or, as in older versions, Run with threads; no
// threads stand for all.
class HloModulePass : public HloPassInterface {
 public:
  absl::StatusOr<bool> Run(HloModule* module) override {
    return Run(module, {});
  }
  virtual absl::StatusOr<bool> Run(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads) {
    return RunImpl(module, execution_threads);
  }

 protected:
  virtual absl::StatusOr<bool> RunImpl(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads) {
    return Unimplemented("pass %s overrides neither Run nor RunImpl", name());
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
