// ModuleAnnotations: what a module carries beside its computations and that
// few passes look at.
#ifndef XLA_HLO_IR_MODULE_MODULE_ANNOTATIONS_H_
#define XLA_HLO_IR_MODULE_MODULE_ANNOTATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/ir/debug/hlo_module_metadata.h"
#include "xla/hlo/ir/debug/original_value_recovery_table.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ir/module/hlo_input_output_alias_config.h"
#include "xla/proto/hlo.pb.h"

namespace xla {

// The base of HloModule. Not thread safe.
class ModuleAnnotations {
 public:
  // Which results take over the memory of which parameters, and which
  // parameters any result may take; the short names are those of the protos.
  HloInputOutputAliasConfig& input_output_alias_config() { return aliases_; }
  const HloInputOutputAliasConfig& input_output_alias_config() const {
    return aliases_;
  }
  void set_input_output_alias_config(HloInputOutputAliasConfig config) {
    aliases_ = std::move(config);
  }
  HloBufferDonorConfig& buffer_donor_config() { return donors_; }
  const HloBufferDonorConfig& buffer_donor_config() const { return donors_; }
  void set_buffer_donor_config(HloBufferDonorConfig config) {
    donors_ = std::move(config);
  }
  const HloInputOutputAliasProto& input_output_alias() const {
    return aliases_.proto();
  }
  HloInputOutputAliasProto& mutable_input_output_alias() {
    return aliases_.mutable_proto();
  }
  const HloBufferDonorProto& buffer_donor() const { return donors_.proto(); }
  HloBufferDonorProto& mutable_buffer_donor() {
    return donors_.mutable_proto();
  }

  const FrontendAttributes& frontend_attributes() const {
    return frontend_attributes_;
  }
  FrontendAttributes& mutable_frontend_attributes() {
    return frontend_attributes_;
  }
  void set_frontend_attributes(FrontendAttributes attributes) {
    frontend_attributes_ = std::move(attributes);
  }
  // Keeps the value of a key that is there.
  void add_frontend_attribute(std::string key, std::string value) {
    frontend_attributes_.mutable_map()->insert(
        {std::move(key), std::move(value)});
  }

  const std::optional<StackFrameIndexProto>& stack_frame_index() const {
    return stack_frame_index_;
  }
  void set_stack_frame_index(StackFrameIndexProto stack_frame_index) {
    stack_frame_index_ = std::move(stack_frame_index);
  }
  // Frame `id` of the index, counted from 1; an empty one if there is none.
  using StackFrame = HloStackFrame;
  HloStackFrame get_stack_frame(int id) const {
    return stack_frame_index_.has_value()
               ? FindStackFrame(*stack_frame_index_, id)
               : HloStackFrame();
  }

  using OriginalValueRecoveryTable = ::xla::OriginalValueRecoveryTable;
  const OriginalValueRecoveryTable& original_value_recovery_table() const {
    return original_value_recovery_table_;
  }
  OriginalValueRecoveryTable& mutable_original_value_recovery_table() {
    return original_value_recovery_table_;
  }
  void set_original_value_recovery_table(OriginalValueRecoveryTable&& table) {
    original_value_recovery_table_ = std::move(table);
  }

  // The passes that ran, which pipelines record.
  const HloModuleMetadata& metadata() const { return metadata_; }
  HloModuleMetadata* metadata() { return &metadata_; }

  // How the entry's parameters and result are divided, once the partitioner
  // ran. A sharding must be one that HloSharding::FromProto takes (CHECK), as
  // those of modules that were read are.
  bool has_spmd_parameters_shardings() const {
    return extra_.spmd_parameters_shardings_size() > 0;
  }
  std::vector<HloSharding> spmd_parameters_shardings() const;
  void set_spmd_parameters_shardings(const std::vector<HloSharding>& shardings);
  bool has_spmd_output_sharding() const {
    return extra_.has_spmd_output_sharding();
  }
  HloSharding spmd_output_sharding() const;
  void set_spmd_output_sharding(const HloSharding& sharding) {
    *extra_.mutable_spmd_output_sharding() = sharding.ToProto();
  }

  // Parameters that a compiler for accelerators loads ahead; kept, not used.
  struct CrossProgramPrefetchInfo {
    int64_t parameter;
    ShapeIndex index;
    std::optional<int64_t> alt_memory_offset;
  };
  void AddCrossProgramPrefetch(
      int64_t parameter, const ShapeIndex& index,
      std::optional<int64_t> alt_memory_offset = std::nullopt);
  // Errors: Internal if there is no such prefetch, or if it has an offset.
  absl::Status SetCrossProgramPrefetchOffset(int64_t prefetch_index,
                                             int64_t offset);
  std::vector<CrossProgramPrefetchInfo> CrossProgramPrefetches() const;

  bool is_dynamic() const { return extra_.is_dynamic(); }
  void set_is_dynamic(bool is_dynamic) { extra_.set_is_dynamic(is_dynamic); }
  bool use_auto_spmd_partitioning() const {
    return extra_.use_auto_spmd_partitioning();
  }
  void set_use_auto_spmd_partitioning(bool use) {
    extra_.set_use_auto_spmd_partitioning(use);
  }
  std::vector<HloModuleProto::ProfileInfo> profile_info() const {
    return {extra_.profile_info().begin(), extra_.profile_info().end()};
  }
  void set_profile_info(const std::vector<HloModuleProto::ProfileInfo>& infos) {
    extra_.mutable_profile_info()->Assign(infos.begin(), infos.end());
  }
  void add_profile_info(const HloModuleProto::ProfileInfo& info) {
    *extra_.add_profile_info() = info;
  }

  // The fields of HloModuleProto that nothing else holds: shardings of the
  // partitioner, profile, device assignment, prefetches.
  const HloModuleProto& extra() const { return extra_; }
  HloModuleProto& mutable_extra() { return extra_; }

 protected:
  HloInputOutputAliasConfig aliases_;
  HloBufferDonorConfig donors_;
  FrontendAttributes frontend_attributes_;
  std::optional<StackFrameIndexProto> stack_frame_index_;
  HloModuleMetadata metadata_;
  OriginalValueRecoveryTable original_value_recovery_table_;
  HloModuleProto extra_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_MODULE_ANNOTATIONS_H_
