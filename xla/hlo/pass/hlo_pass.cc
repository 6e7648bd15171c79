// Runs the passes of a pipeline.
#include "xla/hlo/pass/hlo_pass.h"

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla {

absl::StatusOr<bool> HloPassPipeline::Run(HloModule* module) {
  bool changed = false;
  TF_RETURN_IF_ERROR(Check(module, "the input"));
  for (const auto& pass : passes_) {
    absl::StatusOr<bool> result = pass->Run(module);
    if (!result.ok()) {
      return AddStatus(result.status(), absl::StrCat("pass ", pass->name()));
    }
    changed |= *result;
    if (*result) TF_RETURN_IF_ERROR(Check(module, pass->name()));
    if (after_each_ != nullptr) {
      TF_RETURN_IF_ERROR(after_each_(*module, pass->name(), *result));
    }
  }
  return changed;
}

absl::Status HloPassPipeline::Check(HloModule* module,
                                    absl::string_view after) {
  for (const auto& checker : checkers_) {
    absl::StatusOr<bool> result = checker->Run(module);
    if (result.ok() && *result) {
      result = absl::InternalError("the checker changed the module");
    }
    if (!result.ok()) {
      return AddStatus(
          result.status(),
          absl::StrCat("checker ", checker->name(), " after ", after));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
