// HloPassInterface, and the classes that passes derive from. Passes rely on the
// helpers and macros that come with them.
#ifndef COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
#define COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"      // IWYU pragma: export
#include "xla/shape_util.h"             // IWYU pragma: export
#include "xla/status_macros.h"          // IWYU pragma: export
#include "xla/tsl/platform/statusor.h"  // IWYU pragma: export
#include "xla/util.h"                   // IWYU pragma: export

namespace xla {

// A pass over one module at a time.
class HloModulePass : public HloPassInterface {
 public:
  // Makes the layout of a shape that the pass has changed one that backends
  // take: elements of narrow types are packed.
  virtual void UpdateLayout(Shape* shape) {
    ShapeUtil::UpdateElementSizeInBits(shape, /*pack_subbyte_types=*/true);
  }
};

// A pass over each computation of the given threads on its own, callees before
// callers; not over those of fusions, and not over those that it adds.
class HloComputationPass : public HloModulePass {
 protected:
  // Returns whether it changed the computation.
  virtual absl::StatusOr<bool> RunOnComputation(
      HloComputation* computation) = 0;

  absl::StatusOr<bool> RunImpl(
      HloModule* module,
      const absl::flat_hash_set<absl::string_view>& execution_threads) final {
    bool changed = false;
    for (HloComputation* computation :
         module->MakeNonfusionComputations(execution_threads)) {
      TF_ASSIGN_OR_RETURN(const bool once, RunOnComputation(computation));
      changed |= once;
    }
    return changed;
  }
};

}  // namespace xla

#endif  // COMPAT_XLA_HLO_PASS_HLO_PASS_INTERFACE_H_
