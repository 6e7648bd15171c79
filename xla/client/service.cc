// Turns computations into executables, and handles into what they stand for.
#include "xla/client/service.h"

#include <atomic>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/client/profile_timer.h"
#include "xla/core/layout_util.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// True if `to` can have the layouts of `from`.
bool Fits(const Shape& from, const Shape& to) {
  return Shape::Equal().IgnoreLayout().IgnoreDynamicDimension()(from, to);
}

// Copies the layouts of `from`, of those arrays that have one, to `to`, which
// they fit.
absl::Status TakeLayout(const Shape& from, Shape* to) {
  LayoutUtil::SetToDefaultLayout(to);
  if (!LayoutUtil::HasLayout(from)) return absl::OkStatus();
  TF_RETURN_IF_ERROR(LayoutUtil::ValidateLayoutInShape(from));
  return LayoutUtil::CopyLayoutBetweenShapes(from, to);
}

absl::Status SetEntryLayout(
    std::optional<absl::Span<const Shape* const>> argument_shapes,
    const ExecutionOptions& options, HloModule& module) {
  ProgramShape layout = module.entry_computation()->ComputeProgramShape();
  LayoutUtil::SetToDefaultLayout(&layout);
  if (argument_shapes.has_value()) {
    if (static_cast<int>(argument_shapes->size()) != layout.parameters_size()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Invalid number of arguments: program ", module.name(),
                       " takes ", layout.parameters_size(), ", but shapes of ",
                       argument_shapes->size(), " are given"));
    }
    for (int i = 0; i < layout.parameters_size(); ++i) {
      const Shape& argument = *(*argument_shapes)[i];
      if (!Fits(argument, layout.parameters(i))) {
        return absl::InvalidArgumentError(
            absl::StrCat("Invalid argument shape: argument ", i, " is ",
                         argument.ToString(true), ", but the program takes ",
                         layout.parameters(i).ToString()));
      }
      TF_RETURN_IF_ERROR(TakeLayout(argument, layout.mutable_parameters(i)));
    }
  }
  if (options.has_shape_with_output_layout()) {
    TF_ASSIGN_OR_RETURN(const Shape result,
                        Shape::FromProto(options.shape_with_output_layout()));
    if (!Fits(result, layout.result())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the layout of the result is given as ", result.ToString(true),
          ", which is not compatible with result shape ",
          layout.result().ToString()));
    }
    TF_RETURN_IF_ERROR(TakeLayout(result, layout.mutable_result()));
  }
  module.mutable_config().SetComputationLayoutIfExists(layout);
  return absl::OkStatus();
}

// The value of device `d`: `values` has one for all devices, one for each
// replica, or one for each device.
absl::StatusOr<const Literal*> ValueFor(const DeviceValues& values, int64_t d,
                                        const Executable& executable) {
  const int64_t count = values.size();
  if (count == 1) return values[0].get();
  if (count == executable.num_devices()) return values[d].get();
  if (count == executable.num_replicas()) {
    return values[d / executable.num_partitions()].get();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the value comes from a run on ", count, " devices, but the program is ",
      "for ", executable.num_replicas(), " replicas of ",
      executable.num_partitions(), " partitions"));
}

}  // namespace

Service::Service(std::unique_ptr<Compiler> compiler, BackendOptions options,
                 int number_of_replicas)
    : backend_(std::move(compiler), std::move(options)),
      number_of_replicas_(number_of_replicas) {
  backend_.EnsureDevices(number_of_replicas).IgnoreError();
}

absl::StatusOr<HloModuleConfig> Service::MakeConfig(
    const ExecutionOptions& options) {
  HloModuleConfig config;
  config.set_seed(options.seed());
  config.set_debug_options(options.has_debug_options()
                               ? options.debug_options()
                               : GetDebugOptionsFromFlags());
  config.set_replica_count(options.num_replicas() != 0 ? options.num_replicas()
                                                       : number_of_replicas_);
  config.set_num_partitions(
      options.num_partitions() != 0 ? options.num_partitions() : 1);
  if (config.num_partitions() > 1) {
    const auto& parameters =
        options.allow_spmd_sharding_propagation_to_parameters();
    config.set_allow_spmd_sharding_propagation_to_parameters(
        {parameters.begin(), parameters.end()});
    const auto& output = options.allow_spmd_sharding_propagation_to_output();
    config.set_allow_spmd_sharding_propagation_to_output(
        {output.begin(), output.end()});
  }
  config.set_use_spmd_partitioning(options.use_spmd_partitioning() ||
                                   options.use_auto_spmd_partitioning());
  TF_RETURN_IF_ERROR(CheckDeviceCounts(config));
  TF_RETURN_IF_ERROR(
      backend_.EnsureDevices(config.replica_count() * config.num_partitions()));
  if (!options.has_device_assignment()) return config;
  TF_ASSIGN_OR_RETURN(
      const std::unique_ptr<DeviceAssignment> assignment,
      DeviceAssignment::Deserialize(options.device_assignment()));
  if (assignment->replica_count() != config.replica_count() ||
      assignment->computation_count() != config.num_partitions()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the device assignment is for ", assignment->replica_count(),
        " replicas of ", assignment->computation_count(),
        " partitions, but the options say ", config.replica_count(), " and ",
        config.num_partitions()));
  }
  for (const int64_t device : *assignment) {
    TF_RETURN_IF_ERROR(backend_.CheckDevice(device));
    TF_RETURN_IF_ERROR(assignment->LogicalIdForDevice(device).status());
  }
  config.set_static_device_assignment(*assignment);
  return config;
}

absl::StatusOr<std::unique_ptr<Executable>> Service::Compile(
    const XlaComputation& computation,
    std::optional<absl::Span<const Shape* const>> argument_shapes,
    const ExecutionOptions& options) {
  if (computation.IsNull()) {
    return absl::InvalidArgumentError("there is no computation to compile");
  }
  TF_ASSIGN_OR_RETURN(const HloModuleConfig config, MakeConfig(options));
  TF_ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module,
                      HloModule::CreateFromProto(computation.proto(), config));
  TF_RETURN_IF_ERROR(SetEntryLayout(argument_shapes, options, *module));
  return backend_.compiler()->Compile(std::move(module));
}

ExecutionHandle Service::Keep(std::shared_ptr<Executable> executable) {
  static std::atomic<int64_t> next{1};
  ExecutionHandle handle;
  handle.set_handle(next.fetch_add(1));
  std::lock_guard<std::mutex> lock(mutex_);
  executables_[handle.handle()] = std::move(executable);
  return handle;
}

absl::StatusOr<std::shared_ptr<Executable>> Service::Find(
    const ExecutionHandle& handle) const {
  std::lock_guard<std::mutex> lock(mutex_);
  auto found = executables_.find(handle.handle());
  if (found != executables_.end()) return found->second;
  return absl::InvalidArgumentError(absl::StrCat(
      "execution handle ", handle.handle(), " is not one of this client"));
}

absl::StatusOr<int64_t> Service::DeviceFor(const DeviceHandle* handle,
                                           int64_t replica) const {
  const int64_t first = handle == nullptr ? 0 : handle->handle();
  if (first < 0 || first >= Backend::kMaxDevices || replica < 0 ||
      replica >= Backend::kMaxDevices) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there is no replica ", replica, " of device handle ", first));
  }
  if (handle == nullptr) return backend_.default_device_ordinal() + replica;
  return first * number_of_replicas_ + replica;
}

absl::StatusOr<TransferQueues*> Service::QueuesFor(const DeviceHandle* handle,
                                                   int64_t replica) {
  TF_ASSIGN_OR_RETURN(const int64_t device, DeviceFor(handle, replica));
  TF_RETURN_IF_ERROR(backend_.EnsureDevices(device + 1));
  return backend_.Queues(device);
}

absl::StatusOr<DeviceValues> Service::Execute(
    const Executable& executable,
    absl::Span<const GlobalDataHandle* const> arguments,
    const DeviceHandle* device, ExecutionProfile* profile) {
  std::vector<DeviceValues> values;  // keeps the arguments alive
  for (const GlobalDataHandle* argument : arguments) {
    TF_ASSIGN_OR_RETURN(values.emplace_back(), global_data_->Find(*argument));
  }
  const int64_t partitions = executable.num_partitions();
  const int64_t devices = executable.num_devices();
  std::vector<std::vector<const Literal*>> borrowed(devices);
  Executable::RunOptions options;
  options.seed = backend_.SeedFor(executable.module().config().seed());
  for (int64_t d = 0; d < devices; ++d) {
    for (const DeviceValues& argument : values) {
      TF_ASSIGN_OR_RETURN(borrowed[d].emplace_back(),
                          ValueFor(argument, d, executable));
    }
    const int64_t replica = d / partitions, partition = d % partitions;
    TF_ASSIGN_OR_RETURN(
        const int64_t ordinal,
        DeviceFor(device, partition * executable.num_replicas() + replica));
    TF_RETURN_IF_ERROR(backend_.EnsureDevices(ordinal + 1));
    TF_ASSIGN_OR_RETURN(options.queues.emplace_back(),
                        backend_.Queues(ordinal));
  }
  std::vector<Literal> results;
  {
    const ProfileTimer timer(profile);
    TF_ASSIGN_OR_RETURN(results, executable.Execute(borrowed, options));
  }
  DeviceValues shared;
  for (Literal& result : results) {
    shared.push_back(std::make_shared<const Literal>(std::move(result)));
  }
  return shared;
}

}  // namespace xla
