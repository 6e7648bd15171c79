// Options as text and as protos.
#include "xla/client/executable_build_options.h"

#include "absl/strings/str_cat.h"
#include "xla/client/debug/debug_options_flags.h"

namespace xla {

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
    *options.mutable_shape_with_output_layout() =
        program_shape->result().ToProto();
  }
  options.set_num_replicas(build_options.num_replicas());
  options.set_num_partitions(build_options.num_partitions());
  options.set_use_spmd_partitioning(build_options.use_spmd_partitioning());
  options.set_use_auto_spmd_partitioning(
      build_options.use_auto_spmd_partitioning());
  options.set_use_shardy_partitioner(build_options.use_shardy_partitioner());
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
