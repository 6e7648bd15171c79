// ExecutableBuildOptions: how LocalClient::Compile compiles.
#ifndef XLA_CLIENT_EXECUTABLE_BUILD_OPTIONS_H_
#define XLA_CLIENT_EXECUTABLE_BUILD_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/logging.h"
#include "xla/client/buffers/device_memory.h"
#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/hlo/builder/xla_computation.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/proto/compile_options.pb.h"
#include "xla/proto/xla.pb.h"

namespace xla {

// A value type. Setters can be chained.
class ExecutableBuildOptions {
 public:
  // The device to compile for; -1 means the default device.
  int device_ordinal() const { return device_ordinal_; }
  ExecutableBuildOptions& set_device_ordinal(int device_ordinal) {
    device_ordinal_ = device_ordinal;
    return *this;
  }

  // The shape and layout of the result; null means the default layout.
  const Shape* result_layout() const {
    return result_layout_.has_value() ? &*result_layout_ : nullptr;
  }
  ExecutableBuildOptions& set_result_layout(const Shape& shape_with_layout) {
    result_layout_ = shape_with_layout;
    return *this;
  }

  // The allocator of results unless the run specifies another; borrowed.
  se::DeviceMemoryAllocator* device_allocator() const {
    return device_allocator_;
  }
  ExecutableBuildOptions& set_device_allocator(
      se::DeviceMemoryAllocator* allocator) {
    device_allocator_ = allocator;
    return *this;
  }

  bool has_debug_options() const { return debug_options_.has_value(); }
  const DebugOptions& debug_options() const {
    return has_debug_options() ? *debug_options_
                               : DebugOptions::default_instance();
  }
  // Starts from the options of XLA_FLAGS unless they were set before.
  DebugOptions* mutable_debug_options();

  // The number of replicas that run in lock step, and of partitions of each.
  int num_replicas() const { return num_replicas_; }
  ExecutableBuildOptions& set_num_replicas(int num_replicas) {
    num_replicas_ = num_replicas;
    return *this;
  }
  int num_partitions() const { return num_partitions_; }
  ExecutableBuildOptions& set_num_partitions(int num_partitions) {
    num_partitions_ = num_partitions;
    return *this;
  }
  bool use_spmd_partitioning() const { return use_spmd_partitioning_; }
  ExecutableBuildOptions& set_use_spmd_partitioning(bool use) {
    use_spmd_partitioning_ = use;
    return *this;
  }
  bool use_auto_spmd_partitioning() const {
    return use_auto_spmd_partitioning_;
  }
  ExecutableBuildOptions& set_use_auto_spmd_partitioning(bool use) {
    use_auto_spmd_partitioning_ = use;
    return *this;
  }
  bool use_shardy_partitioner() const { return use_shardy_partitioner_; }
  ExecutableBuildOptions& set_use_shardy_partitioner(bool use) {
    use_shardy_partitioner_ = use;
    return *this;
  }
  // Maps replicas and partitions to devices; by default they are numbered in
  // order.
  bool has_device_assignment() const { return device_assignment_.has_value(); }
  // CHECK-fails without one.
  const DeviceAssignment& device_assignment() const {
    CHECK(has_device_assignment()) << "the options have no device assignment";
    return *device_assignment_;
  }
  ExecutableBuildOptions& set_device_assignment(
      const DeviceAssignment& assignment) {
    device_assignment_ = assignment;
    return *this;
  }
  void clear_device_assignment() { device_assignment_.reset(); }

  // For each parameter and for the result: true if the compiler may choose its
  // sharding. The flags are passed on in the module's config; a single flag
  // applies to all. None leave the module's own flags in force.
  absl::Span<const bool> allow_spmd_sharding_propagation_to_parameters() const {
    return propagation_to_parameters_;
  }
  bool any_allow_spmd_sharding_propagation_to_parameters() const {
    return absl::c_linear_search(
        allow_spmd_sharding_propagation_to_parameters(), true);
  }
  ExecutableBuildOptions& set_allow_spmd_sharding_propagation_to_parameters(
      absl::Span<const bool> allow) {
    propagation_to_parameters_.assign(allow.begin(), allow.end());
    return *this;
  }
  absl::Span<const bool> allow_spmd_sharding_propagation_to_output() const {
    return propagation_to_output_;
  }
  bool any_allow_spmd_sharding_propagation_to_output() const {
    return absl::c_linear_search(allow_spmd_sharding_propagation_to_output(),
                                 true);
  }
  ExecutableBuildOptions& set_allow_spmd_sharding_propagation_to_output(
      absl::Span<const bool> allow) {
    propagation_to_output_.assign(allow.begin(), allow.end());
    return *this;
  }

  // The remaining options steer optimization and caching in XLA; they are
  // stored and have no effect on results.
  std::vector<int64_t> auto_spmd_partitioning_mesh_shape() const {
    return auto_mesh_shape_;
  }
  ExecutableBuildOptions& set_auto_spmd_partitioning_mesh_shape(
      std::vector<int64_t> mesh_shape) {
    auto_mesh_shape_ = std::move(mesh_shape);
    return *this;
  }
  std::vector<int64_t> auto_spmd_partitioning_mesh_ids() const {
    return auto_mesh_ids_;
  }
  ExecutableBuildOptions& set_auto_spmd_partitioning_mesh_ids(
      std::vector<int64_t> mesh_ids) {
    auto_mesh_ids_ = std::move(mesh_ids);
    return *this;
  }
  bool deduplicate_hlo() const { return deduplicate_hlo_; }
  ExecutableBuildOptions& set_deduplicate_hlo(bool deduplicate) {
    deduplicate_hlo_ = deduplicate;
    return *this;
  }
  bool alias_passthrough_params() const { return alias_passthrough_params_; }
  void set_alias_passthrough_params(bool alias) {
    alias_passthrough_params_ = alias;
  }
  bool run_backend_only() const { return run_backend_only_; }
  ExecutableBuildOptions& set_run_backend_only(bool run_backend_only) {
    run_backend_only_ = run_backend_only;
    return *this;
  }
  ExecutionOptions::EffortLevel optimization_level() const {
    return optimization_level_;
  }
  ExecutableBuildOptions& set_optimization_level(
      ExecutionOptions::EffortLevel level) {
    optimization_level_ = level;
    return *this;
  }
  ExecutionOptions::EffortLevel memory_fitting_level() const {
    return memory_fitting_level_;
  }
  ExecutableBuildOptions& set_memory_fitting_level(
      ExecutionOptions::EffortLevel level) {
    memory_fitting_level_ = level;
    return *this;
  }
  // From -1, the least effort, to 1, the most.
  float exec_time_optimization_effort() const { return exec_time_effort_; }
  ExecutableBuildOptions& set_exec_time_optimization_effort(float effort) {
    exec_time_effort_ = effort;
    return *this;
  }
  float memory_fitting_effort() const { return memory_fitting_effort_; }
  ExecutableBuildOptions& set_memory_fitting_effort(float effort) {
    memory_fitting_effort_ = effort;
    return *this;
  }
  // In bytes; 0 if it is not known.
  int64_t device_memory_size() const { return device_memory_size_; }
  ExecutableBuildOptions& set_device_memory_size(int64_t size) {
    device_memory_size_ = size;
    return *this;
  }
  const std::string& fdo_profile() const { return fdo_profile_; }
  std::string* mutable_fdo_profile() { return &fdo_profile_; }
  void set_fdo_profile(const std::string& profile) { fdo_profile_ = profile; }
  int32_t launch_id() const { return launch_id_; }
  void set_launch_id(int32_t launch_id) { launch_id_ = launch_id; }
  int process_index() const { return process_index_; }
  void set_process_index(int process_index) { process_index_ = process_index; }
  int process_count() const { return process_count_; }
  void set_process_count(int process_count) { process_count_ = process_count; }
  // The devices that are connected fast; 0 if it is not known.
  int64_t slice_size() const { return slice_size_; }
  void set_slice_size(int64_t slice_size) { slice_size_ = slice_size; }

  // Without the allocator, which the process alone knows.
  absl::StatusOr<ExecutableBuildOptionsProto> ToProto() const;
  // Prints the options on one line, for debugging.
  std::string ToString() const;

 private:
  int device_ordinal_ = -1;
  std::optional<Shape> result_layout_;
  se::DeviceMemoryAllocator* device_allocator_ = nullptr;
  std::optional<DebugOptions> debug_options_;
  int num_replicas_ = 1;
  int num_partitions_ = 1;
  bool use_spmd_partitioning_ = false;
  bool use_auto_spmd_partitioning_ = false;
  bool use_shardy_partitioner_ = false;
  absl::InlinedVector<bool, 1> propagation_to_parameters_ = {false};
  absl::InlinedVector<bool, 1> propagation_to_output_ = {false};
  std::vector<int64_t> auto_mesh_shape_;
  std::vector<int64_t> auto_mesh_ids_;
  std::optional<DeviceAssignment> device_assignment_;
  bool deduplicate_hlo_ = false;
  bool alias_passthrough_params_ = false;
  bool run_backend_only_ = false;
  ExecutionOptions::EffortLevel optimization_level_ =
      ExecutionOptions::EFFORT_UNKNOWN;
  ExecutionOptions::EffortLevel memory_fitting_level_ =
      ExecutionOptions::EFFORT_UNKNOWN;
  float exec_time_effort_ = 0;
  float memory_fitting_effort_ = 0;
  int64_t device_memory_size_ = 0;
  std::string fdo_profile_;
  int32_t launch_id_ = 0;
  int process_index_ = 0;
  int process_count_ = 1;
  int64_t slice_size_ = 0;
};

// Errors: InvalidArgument naming the field.
absl::StatusOr<ExecutableBuildOptions> ExecutableBuildOptionsFromProto(
    const ExecutableBuildOptionsProto& proto);

// Converts the options to ExecutionOptions. The result's layout is that of the
// options, else the default one of `program_shape`; without either it is unset.
ExecutionOptions CreateExecutionOptions(
    const ExecutableBuildOptions& build_options,
    const ProgramShape* program_shape);

// The flags' debug options; nothing else is set.
ExecutionOptions CreateDefaultExecutionOptions();

}  // namespace xla

#endif  // XLA_CLIENT_EXECUTABLE_BUILD_OPTIONS_H_
