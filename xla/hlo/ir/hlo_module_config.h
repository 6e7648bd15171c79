// HloModuleConfig: what compiling and running a module needs besides its graph.
#ifndef XLA_HLO_IR_HLO_MODULE_CONFIG_H_
#define XLA_HLO_IR_HLO_MODULE_CONFIG_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "xla/base/logging.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/ir/computation_layout.h"
#include "xla/hlo/ir/module/module_pass_options.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// Not thread safe.
class HloModuleConfig : public ModulePassOptions {
 public:
  // Without an entry layout; a module sets it from its entry.
  HloModuleConfig() = default;
  explicit HloModuleConfig(const ProgramShape& program_shape,
                           bool ignore_layouts = true)
      : entry_computation_layout_(
            ComputationLayout(program_shape, ignore_layouts)) {}
  explicit HloModuleConfig(ComputationLayout entry_computation_layout)
      : entry_computation_layout_(std::move(entry_computation_layout)) {}

  // Shapes with layouts of the entry's parameters and result. Reading them
  // requires that they are set (CHECK).
  bool has_entry_computation_layout() const {
    return entry_computation_layout_.has_value();
  }
  const ComputationLayout& entry_computation_layout() const {
    CHECK(has_entry_computation_layout());
    return *entry_computation_layout_;
  }
  ComputationLayout* mutable_entry_computation_layout() {
    CHECK(has_entry_computation_layout());
    return &*entry_computation_layout_;
  }
  void clear_entry_computation_layout() { entry_computation_layout_.reset(); }
  // Sets the entry layout to the shapes, with default layouts.
  void SetDefaultComputationLayout(const ProgramShape& program_shape) {
    entry_computation_layout_ = ComputationLayout(program_shape);
  }
  // Sets the entry layout to the shapes with their layouts.
  void SetComputationLayoutIfExists(const ProgramShape& program_shape) {
    entry_computation_layout_ =
        ComputationLayout(program_shape, /*ignore_layouts=*/false);
  }

  int64_t replica_count() const { return replica_count_; }
  void set_replica_count(int64_t count) { replica_count_ = count; }
  int64_t num_partitions() const { return num_partitions_; }
  void set_num_partitions(int64_t count) { num_partitions_ = count; }

  // The devices that replicas and partitions run on, if that is known when the
  // module is compiled. Reading it requires that it is set (CHECK).
  bool has_static_device_assignment() const {
    return static_device_assignment_.has_value();
  }
  const DeviceAssignment& static_device_assignment() const {
    CHECK(has_static_device_assignment());
    return *static_device_assignment_;
  }
  void set_static_device_assignment(const DeviceAssignment& assignment) {
    static_device_assignment_ = assignment;
  }
  void reset_static_device_assignment() { static_device_assignment_.reset(); }

  // By device number; empty if all devices belong to one process, or if it is
  // not known.
  const std::vector<int32_t>& process_of_device() const {
    return process_of_device_;
  }
  void set_process_of_device(std::vector<int32_t> processes) {
    process_of_device_ = std::move(processes);
  }

  // Whether results that are parameters share their buffers.
  bool alias_passthrough_params() const { return alias_passthrough_params_; }
  void set_alias_passthrough_params(bool alias) {
    alias_passthrough_params_ = alias;
  }

  // Whether partitioning may choose the sharding, for each parameter and
  // result; one value stands for all.
  const std::vector<bool>& allow_spmd_sharding_propagation_to_parameters()
      const {
    return allow_spmd_sharding_propagation_to_parameters_;
  }
  void set_allow_spmd_sharding_propagation_to_parameters(
      std::vector<bool> allow) {
    allow_spmd_sharding_propagation_to_parameters_ = std::move(allow);
  }
  const std::vector<bool>& allow_spmd_sharding_propagation_to_output() const {
    return allow_spmd_sharding_propagation_to_output_;
  }
  void set_allow_spmd_sharding_propagation_to_output(std::vector<bool> allow) {
    allow_spmd_sharding_propagation_to_output_ = std::move(allow);
  }

  // Starts the random numbers of the ops that have no state; 0 asks for a seed
  // of each run's own.
  uint64_t seed() const { return seed_; }
  void set_seed(uint64_t seed) { seed_ = seed; }

  const DebugOptions& debug_options() const { return debug_options_; }
  DebugOptions& mutable_debug_options() { return debug_options_; }
  void set_debug_options(DebugOptions debug_options) {
    debug_options_ = std::move(debug_options);
  }

  // Bytes of the memory of the device, 0 if not known; passes may read it, none
  // of Tessera's does.
  int64_t device_memory_size() const { return device_memory_size_; }
  void set_device_memory_size(int64_t size_bytes) {
    device_memory_size_ = size_bytes;
  }

  // A name that passes may read; none of Tessera's does.
  absl::string_view device_type() const { return device_type_; }
  void set_device_type(absl::string_view device_type) {
    device_type_ = std::string(device_type);
  }

 private:
  std::optional<ComputationLayout> entry_computation_layout_;
  int64_t replica_count_ = 1;
  int64_t num_partitions_ = 1;
  std::optional<DeviceAssignment> static_device_assignment_;
  std::vector<int32_t> process_of_device_;
  bool alias_passthrough_params_ = false;
  std::vector<bool> allow_spmd_sharding_propagation_to_parameters_;
  std::vector<bool> allow_spmd_sharding_propagation_to_output_;
  uint64_t seed_ = 0;
  DebugOptions debug_options_;
  int64_t device_memory_size_ = 0;
  std::string device_type_;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_MODULE_CONFIG_H_
