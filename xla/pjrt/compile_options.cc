// Converts compile options to messages and back.
#include "xla/pjrt/compile_options.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"

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

OptionOverrideProto ToProto(const CompileOptions::OptionOverride& value) {
  OptionOverrideProto proto;
  if (const auto* text = std::get_if<std::string>(&value)) {
    proto.set_string_field(*text);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    proto.set_bool_field(*flag);
  } else if (const auto* number = std::get_if<int64_t>(&value)) {
    proto.set_int_field(*number);
  } else {
    proto.set_double_field(std::get<double>(value));
  }
  return proto;
}

absl::StatusOr<CompileOptions::OptionOverride> FromProto(
    absl::string_view name, const OptionOverrideProto& proto) {
  using Value = CompileOptions::OptionOverride;
  switch (proto.value_case()) {
    case OptionOverrideProto::kStringField:
      return Value(proto.string_field());
    case OptionOverrideProto::kBoolField:
      return Value(proto.bool_field());
    case OptionOverrideProto::kIntField:
      return Value(static_cast<int64_t>(proto.int_field()));
    case OptionOverrideProto::kDoubleField:
      return Value(proto.double_field());
    case OptionOverrideProto::VALUE_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("compile options: the override of ", name, " has no value"));
}

// The value as text, from which fields of any type are parsed.
std::string TextOf(const CompileOptions::OptionOverride& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* number = std::get_if<int64_t>(&value)) {
    return absl::StrCat(*number);
  }
  return absl::StrCat(std::get<double>(value));
}

}  // namespace

absl::Status CompileOptions::ApplyAllOptionOverrides() {
  for (const auto& [name, value] : env_option_overrides) {
    if (!HasDebugOption(name)) {
      return InvalidArgument("No such compile option: '%s'", name);
    }
    const absl::Status set = SetDebugOption(
        name, TextOf(value), *executable_build_options.mutable_debug_options());
    if (set.ok()) continue;
    return absl::Status(set.code(),
                        absl::StrCat("compile options: ", set.message()));
  }
  return absl::OkStatus();
}

absl::StatusOr<CompileOptionsProto> CompileOptions::ToProto() const {
  CompileOptionsProto proto;
  if (unknown != nullptr) proto = *unknown;
  proto.clear_argument_layouts();
  if (argument_layouts.has_value()) {
    for (const Shape& shape : *argument_layouts) {
      *proto.add_argument_layouts() = shape.ToProto();
    }
  }
  proto.set_parameter_is_tupled_arguments(parameter_is_tupled_arguments);
  TF_ASSIGN_OR_RETURN(const ExecutableBuildOptionsProto build,
                      ExecutableBuildOptionsToProto(executable_build_options));
  // Fields for which the options have no member stay as they came.
  ExecutableBuildOptionsProto& to = *proto.mutable_executable_build_options();
  to.clear_result_layout();
  to.clear_debug_options();
  to.clear_device_assignment();
  to.clear_allow_spmd_sharding_propagation_to_parameters();
  to.clear_allow_spmd_sharding_propagation_to_output();
  to.MergeFrom(build);
  to.set_use_spmd_partitioning(build.use_spmd_partitioning());
  to.set_use_auto_spmd_partitioning(build.use_auto_spmd_partitioning());
  to.set_use_shardy_partitioner(build.use_shardy_partitioner());
  to.set_deduplicate_hlo(build.deduplicate_hlo());
  to.set_alias_passthrough_params(build.alias_passthrough_params());
  to.set_run_backend_only(build.run_backend_only());
  to.set_device_ordinal(build.device_ordinal());
  proto.set_compile_portable_executable(compile_portable_executable);
  proto.set_profile_version(profile_version);
  proto.clear_env_option_overrides();
  for (const auto& [name, value] : env_option_overrides) {
    (*proto.mutable_env_option_overrides())[name] = xla::ToProto(value);
  }
  proto.set_allow_in_place_mlir_modification(allow_in_place_mlir_modification);
  proto.set_matrix_unit_operand_precision(matrix_unit_operand_precision);
  proto.clear_compiler_variant();
  if (compiler_variant.has_value()) {
    proto.set_compiler_variant(*compiler_variant);
  }
  return proto;
}

absl::StatusOr<CompileOptions> CompileOptions::FromProto(
    const CompileOptionsProto& proto) {
  CompileOptions options;
  if (proto.argument_layouts_size() > 0) {
    options.argument_layouts.emplace();
    for (const ShapeProto& shape : proto.argument_layouts()) {
      TF_ASSIGN_OR_RETURN(options.argument_layouts->emplace_back(),
                          Shape::FromProto(shape));
    }
  }
  options.parameter_is_tupled_arguments = proto.parameter_is_tupled_arguments();
  TF_ASSIGN_OR_RETURN(
      options.executable_build_options,
      ExecutableBuildOptionsFromProto(proto.executable_build_options()));
  options.compile_portable_executable = proto.compile_portable_executable();
  options.profile_version = proto.profile_version();
  // A map has no order: sort by name, so that equal options give equal bytes.
  const std::map<std::string, OptionOverrideProto> overrides(
      proto.env_option_overrides().begin(), proto.env_option_overrides().end());
  for (const auto& [name, value] : overrides) {
    TF_ASSIGN_OR_RETURN(OptionOverride override, xla::FromProto(name, value));
    options.env_option_overrides.emplace_back(name, std::move(override));
  }
  options.allow_in_place_mlir_modification =
      proto.allow_in_place_mlir_modification();
  options.matrix_unit_operand_precision = proto.matrix_unit_operand_precision();
  if (proto.has_compiler_variant()) {
    options.compiler_variant = proto.compiler_variant();
  }
  options.unknown = std::make_shared<const CompileOptionsProto>(proto);
  return options;
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
  options.set_use_shardy_partitioner(proto.use_shardy_partitioner());
  options.set_allow_spmd_sharding_propagation_to_parameters(
      proto.allow_spmd_sharding_propagation_to_parameters());
  options.set_allow_spmd_sharding_propagation_to_output(
      proto.allow_spmd_sharding_propagation_to_output());
  options.set_optimization_level(proto.optimization_level());
  options.set_deduplicate_hlo(proto.deduplicate_hlo());
  options.set_alias_passthrough_params(proto.alias_passthrough_params());
  options.set_run_backend_only(proto.run_backend_only());
  if (proto.has_device_assignment()) {
    TF_ASSIGN_OR_RETURN(
        const std::unique_ptr<DeviceAssignment> assignment,
        DeviceAssignment::Deserialize(proto.device_assignment()));
    options.set_device_assignment(*assignment);
  }
  TF_ASSIGN_OR_RETURN(const int process,
                      SmallCount("process_index", proto.process_index(), 0));
  options.set_process_index(process);
  TF_ASSIGN_OR_RETURN(const int processes,
                      SmallCount("process_count", proto.process_count(), 1));
  options.set_process_count(processes);
  return options;
}

absl::StatusOr<ExecutableBuildOptionsProto> ExecutableBuildOptionsToProto(
    const ExecutableBuildOptions& options) {
  ExecutableBuildOptionsProto proto;
  proto.set_device_ordinal(options.device_ordinal());
  if (options.result_layout() != nullptr) {
    *proto.mutable_result_layout() = options.result_layout()->ToProto();
  }
  if (options.has_debug_options()) {
    *proto.mutable_debug_options() = options.debug_options();
  }
  proto.set_num_replicas(options.num_replicas());
  proto.set_num_partitions(options.num_partitions());
  proto.set_use_spmd_partitioning(options.use_spmd_partitioning());
  proto.set_use_auto_spmd_partitioning(options.use_auto_spmd_partitioning());
  proto.set_use_shardy_partitioner(options.use_shardy_partitioner());
  for (bool allow : options.allow_spmd_sharding_propagation_to_parameters()) {
    proto.add_allow_spmd_sharding_propagation_to_parameters(allow);
  }
  for (bool allow : options.allow_spmd_sharding_propagation_to_output()) {
    proto.add_allow_spmd_sharding_propagation_to_output(allow);
  }
  proto.set_optimization_level(options.optimization_level());
  proto.set_deduplicate_hlo(options.deduplicate_hlo());
  proto.set_alias_passthrough_params(options.alias_passthrough_params());
  proto.set_run_backend_only(options.run_backend_only());
  if (options.has_device_assignment()) {
    options.device_assignment().Serialize(proto.mutable_device_assignment());
  }
  proto.set_process_index(options.process_index());
  proto.set_process_count(options.process_count());
  return proto;
}

}  // namespace xla
