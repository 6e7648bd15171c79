// Runs the passes of a pipeline.
#include "xla/hlo/pass/hlo_pass.h"

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"

namespace xla {

namespace {

absl::Status RecordStart(HloModule& module, absl::string_view pass,
                         const std::string& pipeline) {
  HloModuleMetadata& metadata = *module.metadata();
  metadata.RecordPassStart();
  TF_RETURN_IF_ERROR(metadata.set_current_pass_name(std::string(pass)));
  return metadata.set_current_pass_pipeline_name(pipeline);
}

absl::Status RecordEnd(HloModule& module, bool changed) {
  HloModuleMetadata& metadata = *module.metadata();
  TF_RETURN_IF_ERROR(metadata.set_current_pass_module_id(module.unique_id()));
  TF_RETURN_IF_ERROR(metadata.set_current_pass_module_changed(changed));
  return metadata.RecordPassEnd();
}

}  // namespace

absl::StatusOr<bool> HloPassPipeline::Run(HloModule* module) {
  bool changed = false;
  TF_RETURN_IF_ERROR(Check(module, "the input"));
  TF_RETURN_IF_ERROR(RecordStart(*module, "pipeline-start", name_));
  TF_RETURN_IF_ERROR(RecordEnd(*module, /*changed=*/false));
  for (const auto& pass : passes_) {
    TF_RETURN_IF_ERROR(RecordStart(*module, pass->name(), name_));
    absl::StatusOr<bool> result = pass->Run(module);
    if (!result.ok()) {
      return AddStatus(result.status(), absl::StrCat("pass ", pass->name()));
    }
    TF_RETURN_IF_ERROR(RecordEnd(*module, *result));
    // Nobody holds what the pass removed any more.
    module->Cleanup();
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
