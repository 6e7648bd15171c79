// Runs the passes of a pipeline.
#include "xla/hlo/pass/hlo_pass.h"

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla {

absl::StatusOr<bool> HloPassPipeline::Run(HloModule* module) {
  bool changed = false;
  for (const auto& pass : passes_) {
    absl::StatusOr<bool> result = pass->Run(module);
    if (!result.ok()) {
      return AddStatus(result.status(), absl::StrCat("pass ", pass->name()));
    }
    changed |= *result;
    if (after_each_ != nullptr) {
      TF_RETURN_IF_ERROR(after_each_(*module, pass->name(), *result));
    }
  }
  return changed;
}

}  // namespace xla
