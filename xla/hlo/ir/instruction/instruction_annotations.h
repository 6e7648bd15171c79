// InstructionAnnotations: the part of HloInstruction that holds what few
// instructions have: metadata, sharding, frontend attributes, backend config,
// statistics.
#ifndef XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ANNOTATIONS_H_
#define XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ANNOTATIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class HloInstruction;

class InstructionAnnotations {
 public:
  const OpMetadata& metadata() const;
  OpMetadata& mutable_metadata();
  void set_metadata(OpMetadata metadata);
  void set_metadata_op_name(const std::string& name) {
    mutable_metadata().set_op_name(name);
  }
  void set_metadata_deduplicated_name(std::string deduplicated_name) {
    mutable_metadata().set_deduplicated_name(std::move(deduplicated_name));
  }
  void set_metadata_scheduling_name(absl::string_view name) {
    mutable_metadata().set_scheduling_name(std::string(name));
  }
  void set_size_of_generated_code_in_bytes(int64_t size_bytes) {
    mutable_metadata().set_size_of_generated_code_in_bytes(size_bytes);
  }
  void set_size_of_memory_working_set_in_bytes(int64_t size_bytes) {
    mutable_metadata().set_size_of_memory_working_set_in_bytes(size_bytes);
  }
  // Bytes that a tool attached, which may be none.
  bool has_metadata_payload() const {
    return metadata().has_metadata_payload();
  }
  const std::string& metadata_payload_string() const {
    return metadata().metadata_payload().value();
  }

  // Instructions keep shardings as protos, as which they are read. The
  // functions that give an HloSharding, or compare two, require one that
  // HloSharding::FromProto takes (CHECK), as those of modules that were read
  // are. References are good until the sharding is set or cleared.
  bool has_sharding() const;
  // Requires has_sharding() (CHECK).
  const HloSharding& sharding() const;
  // Null if there is none.
  std::shared_ptr<const HloSharding> sharding_ptr() const;
  // Empty if there is none.
  const OpSharding& sharding_proto() const;
  void set_sharding(OpSharding sharding);
  void set_sharding(HloSharding sharding) {
    set_sharding(std::make_shared<const HloSharding>(std::move(sharding)));
  }
  // Null is none.
  void set_sharding(std::shared_ptr<const HloSharding> sharding);
  void clear_sharding();
  void copy_sharding(const HloInstruction* hlo);
  const HloSharding& sharding_or_default(
      const HloSharding& default_sharding) const;
  // Sets the sharding of all leaves to one that is no tuple's (CHECK), or to
  // one device.
  void set_single_sharding(const HloSharding& sharding);
  void set_device_sharding(int64_t device) {
    set_single_sharding(HloSharding::AssignDevice(device));
  }
  // The device that has the whole value.
  std::optional<int64_t> sharding_unique_device() const;
  // Whether both have the same sharding, or none.
  bool has_compatible_sharding(const HloInstruction* other) const;

  const FrontendAttributes& frontend_attributes() const;
  void set_frontend_attributes(FrontendAttributes attributes);
  bool has_frontend_attributes() const;
  std::optional<std::string> get_frontend_attribute(
      absl::string_view key) const;
  void set_frontend_attribute(absl::string_view key, absl::string_view value);
  // Keep the value of a key that is there; the second one returns false then.
  void add_frontend_attributes(const FrontendAttributes& attributes);
  bool add_frontend_attribute(const std::string& key, const std::string& value);
  // Returns the number of attributes that it erases.
  size_t erase_frontend_attribute(absl::string_view key);

  bool has_backend_config() const {
    return !raw_backend_config_string().empty();
  }
  // As JSON of a proto. Errors: InvalidArgument for other text.
  absl::Status GetBackendConfigInternal(google::protobuf::Message* proto) const;
  template <typename ConfigProto>
  absl::StatusOr<ConfigProto> backend_config() const {
    ConfigProto proto;
    absl::Status status = GetBackendConfigInternal(&proto);
    if (!status.ok()) return status;
    return proto;
  }
  absl::Status set_backend_config(const google::protobuf::Message& proto);
  // Changes the config by `change`, whose errors leave it as it is.
  template <typename ConfigProto>
  absl::Status MutateBackendConfig(
      const std::function<absl::Status(ConfigProto*)>& change) {
    ConfigProto proto;
    absl::Status status = GetBackendConfigInternal(&proto);
    if (status.ok()) status = change(&proto);
    return status.ok() ? set_backend_config(proto) : status;
  }
  void clear_backend_config();
  void CopyBackendConfigFrom(const HloInstruction* other);
  const std::string& raw_backend_config_string() const;
  void set_raw_backend_config_string(std::string config);

  const StatisticsViz& statistics_viz() const;
  void set_statistics_viz(StatisticsViz statistics);
  void add_single_statistic(Statistic statistic);
  void set_stat_index_to_visualize(int64_t index);
  bool has_statistics() const { return !statistics_viz().statistics().empty(); }
  // Whether the module shows statistics of its own (index -1); the one that is
  // shown, which must be there (CHECK).
  bool module_has_statistics() const {
    return statistics_viz().stat_index_to_visualize() == -1;
  }
  const Statistic& statistic_to_visualize() const;

  bool is_composite() const;
  void set_is_composite(bool is_composite);

  // Copies all of these, and the original value, from `other`.
  void CopyAnnotationsFrom(const HloInstruction& other);

 protected:
  InstructionAnnotations();
  ~InstructionAnnotations();

 private:
  struct Annotations;
  struct Sharding;

  Annotations& mutable_annotations();
  const HloInstruction& self() const;
  HloInstruction& self();

  std::unique_ptr<Annotations> annotations_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_INSTRUCTION_INSTRUCTION_ANNOTATIONS_H_
