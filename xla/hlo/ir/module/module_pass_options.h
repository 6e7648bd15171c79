// ModulePassOptions: what HloModuleConfig has for passes, those of clients
// among them. What clients say of it when they compile a program is in its
// module; no pass of Tessera's goes by it, but for use_spmd_partitioning.
#ifndef XLA_HLO_IR_MODULE_MODULE_PASS_OPTIONS_H_
#define XLA_HLO_IR_MODULE_MODULE_PASS_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/core/shape_index.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/proto/xla.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

enum class FusionConfigCollection { kOff, kPerEdge, kPerNode };

// Not thread safe.
class ModulePassOptions {
 public:
  // How hard to work for speed and for memory, by number or by level.
  float exec_time_optimization_effort() const { return exec_time_effort_; }
  void set_exec_time_optimization_effort(float effort) {
    exec_time_effort_ = effort;
  }
  float memory_fitting_effort() const { return memory_fitting_effort_; }
  void set_memory_fitting_effort(float effort) {
    memory_fitting_effort_ = effort;
  }
  ExecutionOptions::EffortLevel optimization_level() const {
    return optimization_level_;
  }
  void set_optimization_level(ExecutionOptions::EffortLevel level) {
    optimization_level_ = level;
  }
  ExecutionOptions::EffortLevel memory_fitting_level() const {
    return memory_fitting_level_;
  }
  void set_memory_fitting_level(ExecutionOptions::EffortLevel level) {
    memory_fitting_level_ = level;
  }
  bool deduplicate_hlo() const { return deduplicate_hlo_; }
  void set_deduplicate_hlo(bool deduplicate) { deduplicate_hlo_ = deduplicate; }
  PrecisionConfig::Precision matrix_unit_operand_precision() const {
    return matrix_unit_operand_precision_;
  }
  void set_matrix_unit_operand_precision(PrecisionConfig::Precision precision) {
    matrix_unit_operand_precision_ = precision;
  }
  // How long an analysis of the pass may take, in units of its own; -1 if
  // nothing is said.
  int64_t GetAnalysisAllowance(absl::string_view pass_name) const {
    const auto found = analysis_allowances_.find(pass_name);
    return found == analysis_allowances_.end() ? -1 : found->second;
  }
  void SetAnalysisAllowance(absl::string_view pass_name, int64_t allowance) {
    analysis_allowances_[pass_name] = allowance;
  }
  // What is known of earlier runs.
  absl::string_view fdo_profile() const { return fdo_profile_; }
  void set_fdo_profile(absl::string_view profile) {
    fdo_profile_ = std::string(profile);
  }

  // Partitioning. Automatic partitioning is partitioning, too.
  bool use_spmd_partitioning() const { return use_spmd_partitioning_; }
  void set_use_spmd_partitioning(bool use) { use_spmd_partitioning_ = use; }
  bool use_auto_spmd_partitioning() const {
    return use_auto_spmd_partitioning_;
  }
  void set_use_auto_spmd_partitioning(bool use) {
    use_auto_spmd_partitioning_ = use;
    if (use) use_spmd_partitioning_ = true;
  }
  const std::vector<int64_t>& auto_spmd_partitioning_mesh_shape() const {
    return mesh_shape_;
  }
  void set_auto_spmd_partitioning_mesh_shape(std::vector<int64_t> shape) {
    mesh_shape_ = std::move(shape);
  }
  const std::vector<int64_t>& auto_spmd_partitioning_mesh_ids() const {
    return mesh_ids_;
  }
  void set_auto_spmd_partitioning_mesh_ids(std::vector<int64_t> ids) {
    mesh_ids_ = std::move(ids);
  }
  bool use_shardy_partitioner() const { return use_shardy_partitioner_; }
  void set_use_shardy_partitioner(bool use) { use_shardy_partitioner_ = use; }
  int64_t partition_size() const { return partition_size_; }
  void set_partition_size(int64_t size) { partition_size_ = size; }
  // Whether ops of other channels are other ops.
  bool ChannelIdSensitive() const { return !use_spmd_partitioning_; }
  bool allow_separate_sharding_programs() const {
    return allow_separate_sharding_programs_;
  }
  void set_allow_separate_sharding_programs(bool allow) {
    allow_separate_sharding_programs_ = allow;
  }
  // A part of a parameter, and the part of the result that is its next value.
  struct ShardableValueUpdatePair {
    int64_t input_parameter_number;
    ShapeIndex parameter_shape_index;
    ShapeIndex output_shape_index;
  };
  const std::vector<ShardableValueUpdatePair>& shardable_value_update_pairs()
      const {
    return update_pairs_;
  }
  void set_shardable_value_update_pairs(
      std::vector<ShardableValueUpdatePair> pairs) {
    update_pairs_ = std::move(pairs);
  }
  const std::vector<bool>& param_requires_broadcast_via_collectives() const {
    return broadcast_parameters_;
  }
  void set_param_requires_broadcast_via_collectives(std::vector<bool> values) {
    broadcast_parameters_ = std::move(values);
  }

  // Running.
  int32_t launch_id() const { return launch_id_; }
  void set_launch_id(uint64_t launch_id) {
    launch_id_ = static_cast<int32_t>(launch_id);
  }
  // -1 if nothing is said. The client says how many threads there are.
  int64_t intra_op_parallelism_threads() const {
    return intra_op_parallelism_threads_;
  }
  void set_intra_op_parallelism_threads(int threads) {
    intra_op_parallelism_threads_ = threads;
  }
  // Reading it requires that it is set (CHECK).
  bool has_pre_simulation_device_assignment() const {
    return pre_simulation_assignment_.has_value();
  }
  const DeviceAssignment& pre_simulation_device_assignment() const {
    CHECK(has_pre_simulation_device_assignment());
    return *pre_simulation_assignment_;
  }
  void set_pre_simulation_device_assignment(
      const DeviceAssignment& assignment) {
    pre_simulation_assignment_ = assignment;
  }

  // What searches for good configurations set: for each computation and
  // instruction in turn.
  bool content_aware_computation_sorting() const {
    return content_aware_sorting_;
  }
  void set_content_aware_computation_sorting(bool sorting) {
    content_aware_sorting_ = sorting;
  }
  FusionConfigCollection fusion_config_collection() const {
    return fusion_config_collection_;
  }
  void set_fusion_config_collection(FusionConfigCollection collection) {
    fusion_config_collection_ = collection;
  }
  using Flags = std::vector<std::vector<bool>>;
  const Flags& fusion_config() const { return fusion_config_; }
  void set_fusion_config(Flags config) { fusion_config_ = std::move(config); }
  Flags& mutable_fusion_config() { return fusion_config_; }
  const Flags& phase_ordering_config() const { return phase_ordering_config_; }
  void set_phase_ordering_config(Flags config) {
    phase_ordering_config_ = std::move(config);
  }
  Flags& mutable_phase_ordering_config() { return phase_ordering_config_; }
  int phase_index() const { return phase_index_; }
  void set_phase_index(int index) { phase_index_ = index; }
  using DotConfig = absl::flat_hash_map<std::string, std::vector<int64_t>>;
  const DotConfig& dot_config() const { return dot_config_; }
  DotConfig* mutable_dot_config() { return &dot_config_; }
  using LayoutConfig = std::vector<std::vector<std::vector<int64_t>>>;
  const LayoutConfig& layout_config() const { return layout_config_; }
  LayoutConfig* mutable_layout_config() { return &layout_config_; }
  const std::vector<uint64_t>& memory_space_assignment_config() const {
    return memory_space_assignment_config_;
  }
  std::vector<uint64_t>* mutable_memory_space_assignment_config() {
    return &memory_space_assignment_config_;
  }

 protected:
  ~ModulePassOptions() = default;

 private:
  float exec_time_effort_ = 0;
  float memory_fitting_effort_ = 0;
  ExecutionOptions::EffortLevel optimization_level_ =
      ExecutionOptions::EFFORT_UNKNOWN;
  ExecutionOptions::EffortLevel memory_fitting_level_ =
      ExecutionOptions::EFFORT_O2;
  bool deduplicate_hlo_ = false;
  PrecisionConfig::Precision matrix_unit_operand_precision_ =
      PrecisionConfig::DEFAULT;
  absl::flat_hash_map<std::string, int64_t> analysis_allowances_;
  std::string fdo_profile_;
  bool use_spmd_partitioning_ = false;
  bool use_auto_spmd_partitioning_ = false;
  std::vector<int64_t> mesh_shape_;
  std::vector<int64_t> mesh_ids_;
  bool use_shardy_partitioner_ = false;
  int64_t partition_size_ = 0;
  bool allow_separate_sharding_programs_ = false;
  std::vector<ShardableValueUpdatePair> update_pairs_;
  std::vector<bool> broadcast_parameters_;
  int32_t launch_id_ = 0;
  int64_t intra_op_parallelism_threads_ = -1;
  std::optional<DeviceAssignment> pre_simulation_assignment_;
  bool content_aware_sorting_ = false;
  FusionConfigCollection fusion_config_collection_ =
      FusionConfigCollection::kOff;
  Flags fusion_config_;
  Flags phase_ordering_config_;
  int phase_index_ = 0;
  DotConfig dot_config_;
  LayoutConfig layout_config_;
  std::vector<uint64_t> memory_space_assignment_config_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_MODULE_MODULE_PASS_OPTIONS_H_
