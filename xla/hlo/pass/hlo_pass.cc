// Runs the passes of a pipeline.
#include "xla/hlo/pass/hlo_pass.h"

#include "absl/strings/str_cat.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/module/known_sizes.h"

namespace xla {

namespace {

absl::Status RecordStart(HloModule& module, absl::string_view pass,
                         const std::string& pipeline) {
  HloModuleMetadata& metadata = *module.metadata();
  metadata.RecordPassStart();
  TF_RETURN_IF_ERROR(metadata.set_current_pass_name(std::string(pass)));
  return metadata.set_current_pass_pipeline_name(pipeline);
}

// Called before each pass.
absl::Status Announce(const HloModule& module, absl::string_view pass,
                      const CancellationToken& token) {
  if (token.cancelled()) {
    return absl::CancelledError(absl::StrCat("compilation of ", module.name(),
                                             " cancelled before pass ", pass));
  }
  if (Activity* const activity = Activity::Current()) {
    activity->Begin("passes", pass);
    activity->SetInstructions(module.instruction_count());
  }
  return absl::OkStatus();
}

absl::Status RecordEnd(HloModule& module, bool changed) {
  HloModuleMetadata& metadata = *module.metadata();
  TF_RETURN_IF_ERROR(metadata.set_current_pass_module_id(module.unique_id()));
  TF_RETURN_IF_ERROR(metadata.set_current_pass_module_changed(changed));
  return metadata.RecordPassEnd();
}

}  // namespace

absl::StatusOr<bool> HloPassInterface::RunImpl(
    HloModule* module, const ExecutionThreads& execution_threads) {
  if (!execution_threads.empty()) {
    for (const HloComputation* computation : module->computations()) {
      if (execution_threads.contains(computation->execution_thread())) continue;
      return Unimplemented(
          "pass %s works on all computations, also on %s of thread %s", name(),
          computation->name(), computation->execution_thread());
    }
  }
  return RunImpl(module);
}

void HloPassInterface::SetKVMetric(HloModule* module, const std::string& key,
                                   int64_t value) {
  const absl::Status status =
      module->metadata()->set_key_value_metric(key, value);
  if (!status.ok()) LOG(WARNING) << "No metric " << key << ": " << status;
}

absl::StatusOr<bool> HloPassInterface::RunImpl(HloModule* module) {
  return Unimplemented("pass %s overrides neither Run nor RunImpl", name());
}

absl::StatusOr<bool> HloPassPipeline::RunImpl(
    HloModule* module, const ExecutionThreads& execution_threads) {
  bool changed = false;
  const CancellationToken token = CancellationToken::Current();
  TF_RETURN_IF_ERROR(Check(module, "pipeline-start", execution_threads));
  if (!passes_.empty()) {
    // Passes count elements and bytes.
    TF_RETURN_IF_ERROR(
        AddStatus(CheckKnownSizes(*module), absl::StrCat("pipeline ", name_)));
  }
  TF_RETURN_IF_ERROR(RecordStart(*module, "pipeline-start", name_));
  TF_RETURN_IF_ERROR(RecordEnd(*module, /*changed=*/false));
  for (const auto& pass : passes_) {
    TF_RETURN_IF_ERROR(Announce(*module, pass->name(), token));
    TF_RETURN_IF_ERROR(RecordStart(*module, pass->name(), name_));
    absl::StatusOr<bool> result = pass->Run(module, execution_threads);
    if (!result.ok()) {
      return AddStatus(result.status(), absl::StrCat("pass ", pass->name()));
    }
    TF_RETURN_IF_ERROR(RecordEnd(*module, *result));
    // Nobody holds what the pass removed any more.
    module->Cleanup();
    changed |= *result;
    if (*result) {
      TF_RETURN_IF_ERROR(Check(module, pass->name(), execution_threads));
    }
    if (after_each_ != nullptr) {
      TF_RETURN_IF_ERROR(after_each_(*module, pass->name(), *result));
    }
  }
  return changed;
}

absl::Status HloPassPipeline::Check(HloModule* module, absl::string_view after,
                                    const ExecutionThreads& execution_threads) {
  for (const auto& checker : checkers_) {
    absl::StatusOr<bool> result = checker->Run(module, execution_threads);
    if (result.ok() && *result) {
      result = absl::InternalError("the checker changed the module");
    }
    if (!result.ok()) {
      return AddStatus(
          result.status(),
          absl::StrCat("Failed after ", after, ", checker ", checker->name()));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
