// HloModuleMetadata: which passes ran on a module, when, and what they did; and
// HloStackFrame, a line of the program that an instruction comes from.
#ifndef XLA_HLO_IR_DEBUG_HLO_MODULE_METADATA_H_
#define XLA_HLO_IR_DEBUG_HLO_MODULE_METADATA_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// The strings are those of the module, which must outlive it.
struct HloStackFrame {
  absl::string_view file_name;
  absl::string_view function_name;
  int line = 0;
  int column = 0;
  // The frame that called this one, counted from 1; 0 if there is none.
  int parent_frame_id = 0;

  bool empty() const {
    return line == 0 && column == 0 && file_name.empty() &&
           function_name.empty();
  }

  // file.py:10:5 [function]
  template <typename Sink>
  friend void AbslStringify(Sink& sink, const HloStackFrame& frame) {
    sink.Append(frame.ToString());
  }
  std::string ToString() const;
};

// Returns frame `id` of the tables, counted from 1; an empty frame if there is
// none. A name that the tables lack is empty.
HloStackFrame FindStackFrame(const StackFrameIndexProto& index, int id);

// Passes start and end like calls: what sets a field of the current pass sets
// that of the one that started last and has not ended. Errors: NotFound if
// there is none. Not thread safe.
class HloModuleMetadata {
 public:
  // Takes the time from the clock of the system, or from `env`, which must
  // outlive this and has NowMicros().
  HloModuleMetadata();
  template <typename Env>
  explicit HloModuleMetadata(Env* env)
      : now_micros_([env] { return static_cast<int64_t>(env->NowMicros()); }) {}

  const HloModuleMetadataProto& proto() const { return module_metadata_; }

  void RecordPassStart();
  absl::Status RecordPassEnd();
  absl::StatusOr<int64_t> current_pass_id();
  void ClearPassMetadata();

  // The metadata of the module that this one is a part of, with the passes that
  // had ended; the ones that had not go on here.
  const std::optional<HloModuleMetadataProto>& prepartitioning_metadata()
      const {
    return prepartitioning_metadata_;
  }
  void set_prepartitioning_metadata(
      const HloModuleMetadata& prepartitioning_metadata);

  void set_module_group_name(const std::string& name) {
    module_metadata_.set_module_group_name(name);
  }
  void set_canonical_module_id(int64_t id) {
    module_metadata_.set_canonical_module_id(id);
  }
  void add_partitioned_module_id(int64_t id) {
    module_metadata_.add_partitioned_module_ids(id);
  }

  // Fields of the current pass.
  absl::Status set_current_pass_name(const std::string& pass_name);
  absl::Status set_current_pass_pipeline_name(const std::string& pipeline_name);
  absl::Status add_current_pass_dump_filename(const std::string& dump_filename);
  absl::Status set_current_pass_module_changed(bool module_changed);
  absl::Status set_current_pass_module_id(int64_t module_id);
  absl::Status add_current_pass_module_group_module_id(int64_t module_id);
  absl::Status set_custom_metadata(const google::protobuf::Message& message);
  // Replaces the value of the key if it has one.
  absl::Status set_key_value_metric(const std::string& key, int64_t value);

 private:
  absl::StatusOr<HloPassMetadata*> CurrentPass();
  absl::Status ChangeCurrentPass(
      absl::FunctionRef<void(HloPassMetadata&)> change);

  std::function<int64_t()> now_micros_;
  HloModuleMetadataProto module_metadata_;
  int64_t next_pass_id_ = 1;
  std::vector<int> running_passes_;  // positions in the proto, by their start
  std::optional<HloModuleMetadataProto> prepartitioning_metadata_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_DEBUG_HLO_MODULE_METADATA_H_
