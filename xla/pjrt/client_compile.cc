// PjRtClient: compiles programs with options to executables.
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/util/message_differencer.h"
#include "xla/backends/array_memory.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/client/executable_serialization.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"
#include "xla/pjrt/pjrt_client.h"
#include "xla/pjrt/run/inline_runs.h"
#include "xla/pjrt/run/out_of_memory.h"
#include "xla/proto/message_bytes.h"
#include "xla/proto/parse_message.h"

namespace xla {
namespace {

// Copies the layouts of `from`, where it has any, to `to`.
absl::Status TakeLayouts(absl::string_view what, const Shape& from, Shape* to) {
  if (!Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(from, *to)) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " is given the layout of ", from.ToString(true),
                     ", but the program has ", to->ToString()));
  }
  if (!LayoutUtil::HasLayout(from)) return absl::OkStatus();
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutInShape(from));
  return LayoutUtil::CopyLayoutBetweenShapes(from, to);
}

void FillLayouts(Shape* shape) {
  for (int i = 0; i < shape->tuple_shapes_size(); ++i) {
    FillLayouts(shape->mutable_tuple_shapes(i));
  }
  if (shape->IsArray() && !shape->has_layout()) {
    LayoutUtil::SetToDefaultLayout(shape);
  }
}

// Sets the layouts of the entry: those of the options, else those in the
// module's config, else the default ones, with packed bits, as buffers have
// them.
absl::Status SetEntryLayout(const CompileOptions& options, HloModule& module) {
  HloModuleConfig& config = module.mutable_config();
  if (!config.has_entry_computation_layout()) {
    config.SetDefaultComputationLayout(
        module.entry_computation()->ComputeProgramShape());
  }
  ProgramShape layout = config.entry_computation_layout().ComputeProgramShape();
  for (int i = 0; i < layout.parameters_size(); ++i) {
    FillLayouts(layout.mutable_parameters(i));
  }
  FillLayouts(layout.mutable_result());
  if (options.argument_layouts.has_value()) {
    const std::vector<Shape>& shapes = *options.argument_layouts;
    if (static_cast<int>(shapes.size()) != layout.parameters_size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "program ", module.name(), " takes ", layout.parameters_size(),
          " arguments, but there are layouts of ", shapes.size()));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      TF_RETURN_IF_ERROR(TakeLayouts(absl::StrCat("argument ", i), shapes[i],
                                     layout.mutable_parameters(i)));
    }
  }
  const Shape* result = options.executable_build_options.result_layout();
  if (result != nullptr) {
    TF_RETURN_IF_ERROR(
        TakeLayouts("the result", *result, layout.mutable_result()));
  }
  for (int i = 0; i < layout.parameters_size(); ++i) {
    PackBits(layout.mutable_parameters(i));
  }
  PackBits(layout.mutable_result());
  config.SetComputationLayoutIfExists(layout);
  return absl::OkStatus();
}

DebugOptions DebugOptionsOf(const CompileOptions& options) {
  const ExecutableBuildOptions& build = options.executable_build_options;
  return build.has_debug_options() ? build.debug_options()
                                   : GetDebugOptionsFromFlags();
}

// Sets what passes of clients may go by.
void SetPassOptions(const ExecutableBuildOptions& build,
                    HloModuleConfig& config) {
  config.set_exec_time_optimization_effort(
      build.exec_time_optimization_effort());
  config.set_memory_fitting_effort(build.memory_fitting_effort());
  config.set_optimization_level(build.optimization_level());
  config.set_memory_fitting_level(build.memory_fitting_level());
  config.set_deduplicate_hlo(build.deduplicate_hlo());
  config.set_device_memory_size(build.device_memory_size());
  config.set_fdo_profile(build.fdo_profile());
  config.set_launch_id(build.launch_id());
  config.set_use_shardy_partitioner(build.use_shardy_partitioner());
  config.set_auto_spmd_partitioning_mesh_shape(
      build.auto_spmd_partitioning_mesh_shape());
  config.set_auto_spmd_partitioning_mesh_ids(
      build.auto_spmd_partitioning_mesh_ids());
}

absl::Status SetConfig(const CompileOptions& options, HloModule& module) {
  HloModuleConfig& config = module.mutable_config();
  const ExecutableBuildOptions& build = options.executable_build_options;
  config.set_replica_count(build.num_replicas());
  config.set_num_partitions(build.num_partitions());
  config.set_debug_options(DebugOptionsOf(options));
  // The options override what the module says. Flags that are all false, as
  // they are by default, mean nothing for a single partition.
  const bool partitions = build.num_partitions() > 1;
  const auto parameters = build.allow_spmd_sharding_propagation_to_parameters();
  if (!parameters.empty() &&
      (partitions ||
       build.any_allow_spmd_sharding_propagation_to_parameters())) {
    config.set_allow_spmd_sharding_propagation_to_parameters(
        std::vector<bool>(parameters.begin(), parameters.end()));
  }
  const auto output = build.allow_spmd_sharding_propagation_to_output();
  if (!output.empty() &&
      (partitions || build.any_allow_spmd_sharding_propagation_to_output())) {
    config.set_allow_spmd_sharding_propagation_to_output(
        std::vector<bool>(output.begin(), output.end()));
  }
  TF_RETURN_IF_ERROR(CheckDeviceCounts(config));
  if (options.compile_portable_executable &&
      config.replica_count() * config.num_partitions() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a portable program is for one device, not for ",
                     config.replica_count(), " replicas of ",
                     config.num_partitions(), " partitions"));
  }
  config.set_use_spmd_partitioning(
      config.num_partitions() > 1 &&
      (build.use_spmd_partitioning() || build.use_auto_spmd_partitioning()));
  SetPassOptions(build, config);
  return absl::OkStatus();
}

// Returns the devices that a program of these options runs on. Errors: as
// GetDefaultDeviceAssignment.
absl::StatusOr<DeviceAssignment> AssignmentOf(
    const PjRtClient& client, const ExecutableBuildOptions& build, int replicas,
    int partitions) {
  if (build.has_device_assignment()) return build.device_assignment();
  if (build.device_ordinal() >= 0 && replicas * partitions == 1) {
    DeviceAssignment assignment(1, 1);
    assignment(0, 0) = build.device_ordinal();
    return assignment;
  }
  return client.GetDefaultDeviceAssignment(replicas, partitions);
}

// Sets the processes of the devices if there are several. Loading reports what
// is wrong with the devices.
void SetProcesses(const PjRtClient& client, const CompileOptions& options,
                  HloModuleConfig& config) {
  if (options.compile_portable_executable) return;
  const auto assignment =
      AssignmentOf(client, options.executable_build_options,
                   static_cast<int>(config.replica_count()),
                   static_cast<int>(config.num_partitions()));
  if (!assignment.ok() ||
      assignment->replica_count() != config.replica_count() ||
      assignment->computation_count() != config.num_partitions()) {
    return;
  }
  std::vector<int32_t> processes;
  for (int replica = 0; replica < config.replica_count(); ++replica) {
    for (int partition = 0; partition < config.num_partitions(); ++partition) {
      const auto device = client.LookupDevice(PjRtGlobalDeviceId(
          static_cast<int32_t>((*assignment)(replica, partition))));
      if (!device.ok()) return;
      processes.push_back((*device)->process_index());
    }
  }
  if (absl::c_any_of(processes, [&](int p) { return p != processes[0]; })) {
    config.set_process_of_device(std::move(processes));
  }
}

// If there is no memory for the program, adds its arrays, read from `source`,
// to the compiler's error.
absl::Status ExplainForSource(const absl::Status& status,
                              const std::string& source) {
  HloModuleProto proto;
  if (!absl::IsResourceExhausted(status) || !ParseMessage(source, &proto)) {
    return status;
  }
  const auto module = HloModule::CreateFromProto(proto);
  return module.ok() ? ExplainOutOfMemory(status, **module) : status;
}

// The options on which code depends: the others say where a program runs, or
// have no effect here.
absl::StatusOr<CompileOptionsProto> CodeOptions(CompileOptions options) {
  TF_RETURN_IF_ERROR(options.ApplyAllOptionOverrides());
  TF_ASSIGN_OR_RETURN(const CompileOptionsProto all, options.ToProto());
  const ExecutableBuildOptionsProto& build = all.executable_build_options();
  CompileOptionsProto used;
  *used.mutable_argument_layouts() = all.argument_layouts();
  used.set_parameter_is_tupled_arguments(all.parameter_is_tupled_arguments());
  used.set_compile_portable_executable(all.compile_portable_executable());
  ExecutableBuildOptionsProto& to = *used.mutable_executable_build_options();
  to.set_num_replicas(build.num_replicas());
  to.set_num_partitions(build.num_partitions());
  *to.mutable_allow_spmd_sharding_propagation_to_parameters() =
      build.allow_spmd_sharding_propagation_to_parameters();
  *to.mutable_allow_spmd_sharding_propagation_to_output() =
      build.allow_spmd_sharding_propagation_to_output();
  if (build.has_result_layout()) {
    *to.mutable_result_layout() = build.result_layout();
  }
  if (build.has_debug_options()) {
    *to.mutable_debug_options() = build.debug_options();
  }
  // Discards unknown fields: maps in them are in no particular order.
  used.DiscardUnknownFields();
  return used;
}

// OK if code compiled with the options `stored` may be used with `given`, if
// set. Errors: FailedPrecondition that says what differs; those of the options.
absl::Status CheckSameOptions(const CompileOptions& stored,
                              const std::optional<CompileOptions>& given) {
  if (!given.has_value()) return absl::OkStatus();
  TF_ASSIGN_OR_RETURN(const CompileOptionsProto before, CodeOptions(stored));
  TF_ASSIGN_OR_RETURN(const CompileOptionsProto now, CodeOptions(*given));
  google::protobuf::util::MessageDifferencer differencer;
  std::string differences;
  differencer.ReportDifferencesToString(&differences);
  if (differencer.Compare(before, now)) return absl::OkStatus();
  // Characters of the differences that the error quotes.
  constexpr size_t kLongest = 200;
  return absl::FailedPreconditionError(absl::StrCat(
      "serialized executable: it was compiled with other options: ",
      absl::StripAsciiWhitespace(differences.substr(0, kLongest))));
}

}  // namespace

absl::StatusOr<std::unique_ptr<HloCostAnalysis>>
PjRtClient::GetHloCostAnalysis() const {
  return std::make_unique<HloCostAnalysis>();
}

absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtClient::Compile(
    std::unique_ptr<HloModule> module, CompileOptions options) {
  if (module == nullptr || !module->has_entry_computation()) {
    return absl::InvalidArgumentError("there is no program to compile");
  }
  TF_RETURN_IF_ERROR(options.ApplyAllOptionOverrides());
  TF_RETURN_IF_ERROR(SetConfig(options, *module));
  SetProcesses(*this, options, module->mutable_config());
  TF_RETURN_IF_ERROR(SetEntryLayout(options, *module));
  std::string source = DeterministicBytes(module->ToProto());
  absl::StatusOr<std::unique_ptr<Executable>> compiled =
      compiler_->Compile(std::move(module));
  if (!compiled.ok()) return ExplainForSource(compiled.status(), source);
  std::unique_ptr<Executable> executable = *std::move(compiled);
  return PjRtExecutable::Create(std::move(executable), std::move(source),
                                std::move(options));
}

absl::StatusOr<std::unique_ptr<PjRtExecutable>> PjRtClient::Compile(
    const XlaComputation& computation, CompileOptions options) {
  if (computation.IsNull()) {
    return absl::InvalidArgumentError("there is no computation to compile");
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto()));
  return Compile(std::move(module), std::move(options));
}

absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>>
PjRtClient::CompileAndLoad(const XlaComputation& computation,
                           CompileOptions options) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtExecutable> executable,
                      Compile(computation, std::move(options)));
  return Load(std::move(executable));
}

absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>>
PjRtClient::CompileAndLoad(std::unique_ptr<HloModule> module,
                           CompileOptions options) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<PjRtExecutable> executable,
                      Compile(std::move(module), std::move(options)));
  return Load(std::move(executable));
}

absl::StatusOr<std::unique_ptr<PjRtExecutable>>
PjRtClient::DeserializeExecutable(absl::string_view serialized,
                                  std::optional<CompileOptions> options,
                                  const LoadOptions& load_options) {
  TF_ASSIGN_OR_RETURN(PackedExecutable packed, UnpackExecutable(serialized));
  ExecutableAndOptionsProto& payload = packed.payload;
  TF_ASSIGN_OR_RETURN(CompileOptions stored,
                      CompileOptions::FromProto(payload.compile_options()));
  absl::Status refusal =
      packed.code.empty()
          ? absl::FailedPreconditionError(
                "serialized executable: there is no native code in it")
          : CheckSameOptions(stored, options);
  if (!options.has_value()) options = std::move(stored);
  if (refusal.ok()) {
    absl::StatusOr<std::unique_ptr<Executable>> loaded =
        compiler_->Load(packed.code, DebugOptionsOf(*options));
    if (loaded.ok()) {
      return PjRtExecutable::Create(
          *std::move(loaded),
          std::move(*payload.mutable_serialized_executable()),
          *std::move(options));
    }
    refusal = loaded.status();
  }
  if (!load_options.may_compile || !(absl::IsFailedPrecondition(refusal) ||
                                     absl::IsUnimplemented(refusal))) {
    return refusal;
  }
  if (!packed.code.empty()) {
    LOG(WARNING) << "a serialized executable is compiled again: " << refusal;
  }
  HloModuleProto proto;
  if (!ParseMessage(payload.serialized_executable(), &proto)) {
    return absl::InvalidArgumentError(
        "serialized executable: its program is not an HloModuleProto");
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(proto));
  return Compile(std::move(module), *std::move(options));
}

absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>>
PjRtClient::LoadSerializedExecutable(absl::string_view serialized,
                                     std::optional<CompileOptions> options,
                                     const LoadOptions& load_options) {
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<PjRtExecutable> executable,
      DeserializeExecutable(serialized, std::move(options), load_options));
  return Load(std::move(executable), load_options);
}

absl::StatusOr<std::unique_ptr<PjRtLoadedExecutable>> PjRtClient::Load(
    std::shared_ptr<const PjRtExecutable> executable,
    const LoadOptions& load_options) {
  const CompileOptions& options = executable->compile_options();
  const ExecutableBuildOptions& build = options.executable_build_options;
  if (options.compile_portable_executable) {
    return std::make_unique<PjRtLoadedExecutable>(this, std::move(executable),
                                                  DeviceAssignment(),
                                                  std::vector<PjRtDevice*>());
  }
  const int replicas = executable->num_replicas();
  const int partitions = executable->num_partitions();
  TF_ASSIGN_OR_RETURN(DeviceAssignment assignment,
                      AssignmentOf(*this, build, replicas, partitions));
  if (assignment.replica_count() != replicas ||
      assignment.computation_count() != partitions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the device assignment is for ", assignment.replica_count(),
        " replicas of ", assignment.computation_count(),
        " partitions, but the program for ", replicas, " of ", partitions));
  }
  // Those of other processes among them.
  std::vector<PjRtDevice*> devices;
  for (int replica = 0; replica < replicas; ++replica) {
    for (int partition = 0; partition < partitions; ++partition) {
      const int64_t id = assignment(replica, partition);
      TF_RETURN_IF_ERROR(assignment.LogicalIdForDevice(id).status());
      TF_ASSIGN_OR_RETURN(
          devices.emplace_back(),
          LookupDevice(PjRtGlobalDeviceId(static_cast<int32_t>(id))));
    }
  }
  return std::make_unique<PjRtLoadedExecutable>(
      this, std::move(executable), std::move(assignment), std::move(devices));
}

}  // namespace xla
