// Options as text and as protos.
#include "xla/client/executable_build_options.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/core/layout_util.h"

namespace xla {
namespace {

absl::StatusOr<int> SmallCount(absl::string_view field, int64_t value,
                               int64_t if_unset) {
  if (value == 0) return if_unset;
  if (value < 0 || value > (int64_t{1} << 20)) {
    return absl::InvalidArgumentError(
        absl::StrCat("compile options: ", field, " is ", value));
  }
  return value;
}

}  // namespace

DebugOptions* ExecutableBuildOptions::mutable_debug_options() {
  if (!has_debug_options()) debug_options_ = GetDebugOptionsFromFlags();
  return &*debug_options_;
}

std::string ExecutableBuildOptions::ToString() const {
  return absl::StrCat(
      "ExecutableBuildOptions{device_ordinal=", device_ordinal_,
      ", result_layout=",
      result_layout_.has_value() ? result_layout_->ToString(true) : "nullopt",
      ", num_replicas=", num_replicas_, ", num_partitions=", num_partitions_,
      has_device_assignment() ? ", " + device_assignment_->ToString() : "",
      "}");
}

absl::StatusOr<ExecutableBuildOptionsProto> ExecutableBuildOptions::ToProto()
    const {
  ExecutableBuildOptionsProto proto;
  proto.set_device_ordinal(device_ordinal_);
  if (result_layout_.has_value()) {
    *proto.mutable_result_layout() = result_layout_->ToProto();
  }
  if (has_debug_options()) *proto.mutable_debug_options() = *debug_options_;
  proto.set_num_replicas(num_replicas_);
  proto.set_num_partitions(num_partitions_);
  proto.set_use_spmd_partitioning(use_spmd_partitioning_);
  proto.set_use_auto_spmd_partitioning(use_auto_spmd_partitioning_);
  for (int64_t size : auto_mesh_shape_) {
    proto.add_auto_spmd_partitioning_mesh_shape(size);
  }
  for (int64_t id : auto_mesh_ids_) {
    proto.add_auto_spmd_partitioning_mesh_ids(id);
  }
  proto.set_use_shardy_partitioner(use_shardy_partitioner_);
  for (bool allow : propagation_to_parameters_) {
    proto.add_allow_spmd_sharding_propagation_to_parameters(allow);
  }
  for (bool allow : propagation_to_output_) {
    proto.add_allow_spmd_sharding_propagation_to_output(allow);
  }
  proto.set_exec_time_optimization_effort(exec_time_effort_);
  proto.set_memory_fitting_effort(memory_fitting_effort_);
  proto.set_optimization_level(optimization_level_);
  proto.set_memory_fitting_level(memory_fitting_level_);
  proto.set_deduplicate_hlo(deduplicate_hlo_);
  if (has_device_assignment()) {
    device_assignment_->Serialize(proto.mutable_device_assignment());
  }
  proto.set_alias_passthrough_params(alias_passthrough_params_);
  proto.set_run_backend_only(run_backend_only_);
  proto.set_fdo_profile(fdo_profile_);
  proto.set_device_memory_size(device_memory_size_);
  proto.set_process_index(process_index_);
  proto.set_process_count(process_count_);
  proto.set_slice_size(slice_size_);
  return proto;
}

absl::StatusOr<ExecutableBuildOptions> ExecutableBuildOptionsFromProto(
    const ExecutableBuildOptionsProto& proto) {
  ExecutableBuildOptions options;
  if (proto.device_ordinal() > 0) {
    TF_ASSIGN_OR_RETURN(
        const int ordinal,
        SmallCount("device_ordinal", proto.device_ordinal(), -1));
    options.set_device_ordinal(ordinal);
  }
  if (proto.has_result_layout()) {
    TF_ASSIGN_OR_RETURN(const Shape layout,
                        Shape::FromProto(proto.result_layout()));
    options.set_result_layout(layout);
  }
  if (proto.has_debug_options()) {
    *options.mutable_debug_options() = proto.debug_options();
  }
  TF_ASSIGN_OR_RETURN(const int replicas,
                      SmallCount("num_replicas", proto.num_replicas(), 1));
  options.set_num_replicas(replicas);
  TF_ASSIGN_OR_RETURN(const int partitions,
                      SmallCount("num_partitions", proto.num_partitions(), 1));
  options.set_num_partitions(partitions);
  options.set_use_spmd_partitioning(proto.use_spmd_partitioning());
  options.set_use_auto_spmd_partitioning(proto.use_auto_spmd_partitioning());
  options.set_auto_spmd_partitioning_mesh_shape(
      {proto.auto_spmd_partitioning_mesh_shape().begin(),
       proto.auto_spmd_partitioning_mesh_shape().end()});
  options.set_auto_spmd_partitioning_mesh_ids(
      {proto.auto_spmd_partitioning_mesh_ids().begin(),
       proto.auto_spmd_partitioning_mesh_ids().end()});
  options.set_use_shardy_partitioner(proto.use_shardy_partitioner());
  options.set_allow_spmd_sharding_propagation_to_parameters(
      proto.allow_spmd_sharding_propagation_to_parameters());
  options.set_allow_spmd_sharding_propagation_to_output(
      proto.allow_spmd_sharding_propagation_to_output());
  options.set_exec_time_optimization_effort(
      proto.exec_time_optimization_effort());
  options.set_memory_fitting_effort(proto.memory_fitting_effort());
  options.set_optimization_level(proto.optimization_level());
  options.set_memory_fitting_level(proto.memory_fitting_level());
  options.set_deduplicate_hlo(proto.deduplicate_hlo());
  options.set_alias_passthrough_params(proto.alias_passthrough_params());
  options.set_run_backend_only(proto.run_backend_only());
  if (proto.has_device_assignment()) {
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<DeviceAssignment> assignment,
        DeviceAssignment::Deserialize(proto.device_assignment()));
    options.set_device_assignment(*assignment);
  }
  options.set_fdo_profile(proto.fdo_profile());
  options.set_device_memory_size(proto.device_memory_size());
  TF_ASSIGN_OR_RETURN(const int process,
                      SmallCount("process_index", proto.process_index(), 0));
  options.set_process_index(process);
  TF_ASSIGN_OR_RETURN(const int processes,
                      SmallCount("process_count", proto.process_count(), 1));
  options.set_process_count(processes);
  options.set_slice_size(proto.slice_size());
  return options;
}

ExecutionOptions CreateExecutionOptions(
    const ExecutableBuildOptions& build_options,
    const ProgramShape* program_shape) {
  ExecutionOptions options = CreateDefaultExecutionOptions();
  if (build_options.has_debug_options()) {
    *options.mutable_debug_options() = build_options.debug_options();
  }
  if (build_options.result_layout() != nullptr) {
    *options.mutable_shape_with_output_layout() =
        build_options.result_layout()->ToProto();
  } else if (program_shape != nullptr) {
    Shape result = program_shape->result();
    LayoutUtil::SetToDefaultLayout(&result);
    *options.mutable_shape_with_output_layout() = result.ToProto();
  }
  options.set_num_replicas(build_options.num_replicas());
  options.set_num_partitions(build_options.num_partitions());
  options.set_use_spmd_partitioning(build_options.use_spmd_partitioning());
  options.set_use_auto_spmd_partitioning(
      build_options.use_auto_spmd_partitioning());
  options.set_use_shardy_partitioner(build_options.use_shardy_partitioner());
  for (int64_t size : build_options.auto_spmd_partitioning_mesh_shape()) {
    options.add_auto_spmd_partitioning_mesh_shape(size);
  }
  for (int64_t id : build_options.auto_spmd_partitioning_mesh_ids()) {
    options.add_auto_spmd_partitioning_mesh_ids(id);
  }
  for (bool allow :
       build_options.allow_spmd_sharding_propagation_to_parameters()) {
    options.add_allow_spmd_sharding_propagation_to_parameters(allow);
  }
  for (bool allow : build_options.allow_spmd_sharding_propagation_to_output()) {
    options.add_allow_spmd_sharding_propagation_to_output(allow);
  }
  options.set_memory_fitting_level(build_options.memory_fitting_level());
  options.set_fdo_profile(build_options.fdo_profile());
  options.set_device_memory_size(build_options.device_memory_size());
  options.set_deduplicate_hlo(build_options.deduplicate_hlo());
  options.set_alias_passthrough_params(
      build_options.alias_passthrough_params());
  options.set_optimization_level(build_options.optimization_level());
  options.set_launch_id(build_options.launch_id());
  if (build_options.has_device_assignment()) {
    build_options.device_assignment().Serialize(
        options.mutable_device_assignment());
  }
  return options;
}

ExecutionOptions CreateDefaultExecutionOptions() {
  ExecutionOptions options;
  *options.mutable_debug_options() = GetDebugOptionsFromFlags();
  return options;
}

}  // namespace xla
