// Records passes, and looks up stack frames.
#include "xla/hlo/ir/debug/hlo_module_metadata.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"

namespace xla {

std::string HloStackFrame::ToString() const {
  std::string out = absl::StrCat(file_name, ":", line);
  if (column != 0) absl::StrAppend(&out, ":", column);
  if (!function_name.empty()) absl::StrAppend(&out, " [", function_name, "]");
  return out;
}

HloStackFrame FindStackFrame(const StackFrameIndexProto& index, int id) {
  const auto exists = [](int number, const auto& table) {
    return number >= 1 && number <= table.size();
  };
  HloStackFrame found;
  if (!exists(id, index.stack_frames())) return found;
  const auto& frame = index.stack_frames(id - 1);
  found.parent_frame_id = frame.parent_frame_id();
  if (!exists(frame.file_location_id(), index.file_locations())) return found;
  const auto& location = index.file_locations(frame.file_location_id() - 1);
  if (exists(location.file_name_id(), index.file_names())) {
    found.file_name = index.file_names(location.file_name_id() - 1);
  }
  if (exists(location.function_name_id(), index.function_names())) {
    found.function_name = index.function_names(location.function_name_id() - 1);
  }
  found.line = location.line();
  found.column = location.column();
  return found;
}

HloModuleMetadata::HloModuleMetadata()
    : now_micros_([] {
        return std::chrono::duration_cast<std::chrono::microseconds>(
                   std::chrono::system_clock::now().time_since_epoch())
            .count();
      }) {}

absl::StatusOr<HloPassMetadata*> HloModuleMetadata::CurrentPass() {
  if (running_passes_.empty()) {
    return absl::NotFoundError(
        "no pass runs on the module: none called RecordPassStart, or a pass "
        "took another module without its metadata");
  }
  return module_metadata_.mutable_pass_metadata(running_passes_.back());
}

absl::Status HloModuleMetadata::ChangeCurrentPass(
    absl::FunctionRef<void(HloPassMetadata&)> change) {
  TF_ASSIGN_OR_RETURN(HloPassMetadata * pass, CurrentPass());
  change(*pass);
  return absl::OkStatus();
}

void HloModuleMetadata::RecordPassStart() {
  running_passes_.push_back(module_metadata_.pass_metadata_size());
  HloPassMetadata& pass = *module_metadata_.add_pass_metadata();
  pass.set_pass_id(next_pass_id_++);
  pass.set_start_timestamp_usec(now_micros_());
}

absl::Status HloModuleMetadata::RecordPassEnd() {
  TF_ASSIGN_OR_RETURN(HloPassMetadata * pass, CurrentPass());
  pass->set_end_timestamp_usec(now_micros_());
  running_passes_.pop_back();
  return absl::OkStatus();
}

absl::StatusOr<int64_t> HloModuleMetadata::current_pass_id() {
  TF_ASSIGN_OR_RETURN(HloPassMetadata * pass, CurrentPass());
  return pass->pass_id();
}

void HloModuleMetadata::ClearPassMetadata() {
  module_metadata_.clear_pass_metadata();
  running_passes_.clear();
}

void HloModuleMetadata::set_prepartitioning_metadata(
    const HloModuleMetadata& prepartitioning_metadata) {
  const HloModuleMetadataProto& whole = prepartitioning_metadata.proto();
  const std::vector<int>& running = prepartitioning_metadata.running_passes_;
  module_metadata_.set_original_module_id(whole.canonical_module_id());
  HloModuleMetadataProto before = whole;
  before.clear_pass_metadata();
  for (int i = 0; i < whole.pass_metadata_size(); ++i) {
    const HloPassMetadata& pass = whole.pass_metadata(i);
    if (std::find(running.begin(), running.end(), i) == running.end()) {
      *before.add_pass_metadata() = pass;
      continue;
    }
    running_passes_.push_back(module_metadata_.pass_metadata_size());
    *module_metadata_.add_pass_metadata() = pass;
    next_pass_id_ = std::max<int64_t>(next_pass_id_, pass.pass_id() + 1);
  }
  prepartitioning_metadata_ = std::move(before);
}

absl::Status HloModuleMetadata::set_current_pass_name(
    const std::string& pass_name) {
  return ChangeCurrentPass(
      [&](HloPassMetadata& pass) { pass.set_pass_name(pass_name); });
}
absl::Status HloModuleMetadata::set_current_pass_pipeline_name(
    const std::string& pipeline_name) {
  return ChangeCurrentPass(
      [&](HloPassMetadata& pass) { pass.set_pipeline_name(pipeline_name); });
}
absl::Status HloModuleMetadata::add_current_pass_dump_filename(
    const std::string& dump_filename) {
  return ChangeCurrentPass(
      [&](HloPassMetadata& pass) { pass.add_dump_filenames(dump_filename); });
}
absl::Status HloModuleMetadata::set_current_pass_module_changed(
    bool module_changed) {
  return ChangeCurrentPass(
      [&](HloPassMetadata& pass) { pass.set_module_changed(module_changed); });
}
absl::Status HloModuleMetadata::set_current_pass_module_id(int64_t module_id) {
  return ChangeCurrentPass(
      [&](HloPassMetadata& pass) { pass.set_module_id(module_id); });
}
absl::Status HloModuleMetadata::add_current_pass_module_group_module_id(
    int64_t module_id) {
  return ChangeCurrentPass([&](HloPassMetadata& pass) {
    pass.add_module_group_module_ids(module_id);
  });
}

absl::Status HloModuleMetadata::set_custom_metadata(
    const google::protobuf::Message& message) {
  TF_ASSIGN_OR_RETURN(HloPassMetadata * pass, CurrentPass());
  if (!pass->mutable_custom_metadata()->PackFrom(message)) {
    return absl::InternalError(
        absl::StrCat("a ", message.GetTypeName(), " does not fit into an Any"));
  }
  return absl::OkStatus();
}

absl::Status HloModuleMetadata::set_key_value_metric(const std::string& key,
                                                     int64_t value) {
  return ChangeCurrentPass([&](HloPassMetadata& pass) {
    for (KeyValueMetric& metric : *pass.mutable_kv_metrics()) {
      if (metric.key() == key) return metric.set_value(value);
    }
    KeyValueMetric& metric = *pass.add_kv_metrics();
    metric.set_key(key);
    metric.set_value(value);
  });
}

}  // namespace xla
