// Checks and reads arguments, gathers the devices of a run, writes results.
#include "xla/client/local_executable.h"

#include <cstdint>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "xla/base/status_macros.h"
#include "xla/client/backend.h"
#include "xla/client/buffers/buffer_transfer.h"
#include "xla/client/profile_timer.h"
#include "xla/core/shape_util.h"

namespace xla {
namespace {

// A device that waits longer for the other devices of its run fails.
constexpr absl::Duration kRendezvousTimeout = absl::Minutes(1);

int DeviceOrdinal(absl::Span<const ShapedBuffer* const> arguments,
                  const ExecutableRunOptions& run_options,
                  const ExecutableBuildOptions& build_options,
                  const Backend& backend) {
  if (run_options.device_ordinal() >= 0) return run_options.device_ordinal();
  for (const ShapedBuffer* argument : arguments) {
    if (argument != nullptr) return argument->device_ordinal();
  }
  if (build_options.device_ordinal() >= 0) {
    return build_options.device_ordinal();
  }
  return backend.default_device_ordinal();
}

se::DeviceMemoryAllocator* Allocator(
    const ExecutableRunOptions& run_options,
    const ExecutableBuildOptions& build_options, const Backend& backend) {
  if (run_options.allocator() != nullptr) return run_options.allocator();
  if (build_options.device_allocator() != nullptr) {
    return build_options.device_allocator();
  }
  return backend.memory_allocator();
}

// True if programs may write to the buffer (see Executable::Output); allocators
// passed by the user need not align memory.
bool IsAligned(const ShapedBuffer& buffer) {
  return absl::c_all_of(buffer.buffers().leaves(), [](const auto& leaf) {
    return reinterpret_cast<uintptr_t>(leaf.second.opaque()) % 64 == 0;
  });
}

// True if the sizes of arguments and results follow from their shapes alone.
bool HasStaticShapes(const Executable& executable) {
  const ComputationLayout& program =
      executable.module().entry_computation_layout();
  return program.result_shape().is_static() &&
         absl::c_all_of(program.parameter_layouts(),
                        [](const ShapeLayout& parameter) {
                          return parameter.shape().is_static();
                        });
}

absl::Status OfArgument(size_t number, const absl::Status& status) {
  if (status.ok()) return status;
  return absl::Status(
      status.code(), absl::StrCat("argument ", number, ": ", status.message()));
}

}  // namespace

LocalExecutable::LocalExecutable(std::unique_ptr<Executable> executable,
                                 Backend* backend,
                                 ExecutableBuildOptions build_options)
    : executable_(std::move(executable)),
      backend_(*backend),
      build_options_(std::move(build_options)),
      rendezvous_(kRendezvousTimeout) {}

absl::StatusOr<ScopedShapedBuffer> LocalExecutable::Run(
    absl::Span<const ShapedBuffer* const> arguments,
    ExecutableRunOptions run_options) {
  const int device =
      DeviceOrdinal(arguments, run_options, build_options_, backend_);
  TF_RETURN_IF_ERROR(VerifyRunDeviceCompatible(device));
  TF_RETURN_IF_ERROR(CheckArguments(arguments, device));
  se::DeviceMemoryAllocator* const allocator =
      Allocator(run_options, build_options_, backend_);
  if (executable_->num_devices() == 1 && HasStaticShapes(*executable_)) {
    TF_ASSIGN_OR_RETURN(
        ScopedShapedBuffer result,
        AllocateBuffer(
            executable_->module().entry_computation_layout().result_shape(),
            allocator, device));
    if (IsAligned(result)) {
      TF_RETURN_IF_ERROR(
          RunInDeviceMemory(arguments, result, device, run_options));
      return result;
    }
  }
  TF_ASSIGN_OR_RETURN(std::vector<Literal> literals, ReadArguments(arguments));
  const ProfileTimer timer(run_options.execution_profile());
  TF_ASSIGN_OR_RETURN(const Literal result,
                      RunDevice(std::move(literals), device, run_options));
  return CopyToDevice(result, allocator, device);
}

absl::Status LocalExecutable::RunInDeviceMemory(
    absl::Span<const ShapedBuffer* const> arguments, const ShapedBuffer& result,
    int device, const ExecutableRunOptions& run_options) const {
  std::vector<Executable::Input> inputs;
  for (size_t i = 0; i < arguments.size(); ++i) {
    TF_RETURN_IF_ERROR(OfArgument(i, AddInputs(*arguments[i], inputs)));
  }
  std::vector<Executable::Output> outputs;
  AddOutputs(result, outputs);
  TF_ASSIGN_OR_RETURN(const Executable::RunOptions options,
                      OptionsOf(run_options, device));
  const Executable::DeviceBuffers buffers = {inputs, outputs};
  const ProfileTimer timer(run_options.execution_profile());
  return executable_->ExecuteBuffers({&buffers, 1}, options);
}

absl::StatusOr<ExecutionOutput> LocalExecutable::Run(
    std::vector<ExecutionInput> arguments, ExecutableRunOptions run_options) {
  const int device = DeviceOrdinal({}, run_options, build_options_, backend_);
  std::vector<ShapedBuffer> buffers;
  for (const ExecutionInput& argument : arguments) {
    buffers.push_back(
        argument.ToShapedBuffer(backend_.memory_allocator(), device));
  }
  std::vector<const ShapedBuffer*> pointers;
  for (const ShapedBuffer& buffer : buffers) pointers.push_back(&buffer);
  absl::StatusOr<ScopedShapedBuffer> result =
      Run(absl::MakeConstSpan(pointers), run_options);
  for (ExecutionInput& argument : arguments) {
    for (const ShapeIndex& index : argument.unowned_indices()) {
      // The memory is not the input's to free, even if the input holds an
      // owner.
      auto owned = argument.MutableBuffer(index)->Release();
      if (owned.has_value()) owned->Release();
    }
  }
  TF_RETURN_IF_ERROR(result.status());
  return ExecutionOutput(*std::move(result));
}

absl::Status LocalExecutable::VerifyRunDeviceCompatible(
    int run_device_ordinal) const {
  return backend_.CheckDevice(run_device_ordinal);
}

absl::Status LocalExecutable::CheckArguments(
    absl::Span<const ShapedBuffer* const> arguments, int device) const {
  const ComputationLayout& program =
      executable_->module().entry_computation_layout();
  if (static_cast<int>(arguments.size()) != program.parameter_count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Invalid number of arguments: program ", executable_->module().name(),
        " takes ", program.parameter_count(), ", but got ", arguments.size()));
  }
  for (int i = 0; i < program.parameter_count(); ++i) {
    if (arguments[i] == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", i, " is null"));
    }
    const ShapedBuffer& argument = *arguments[i];
    const Shape& shape = argument.on_device_shape();
    if (!Shape::Equal().IgnoreDynamicDimension().MinorToMajorOnlyInLayout()(
            shape, program.parameter_shape(i))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Invalid argument shape: argument ", i, " is ", shape.ToString(true),
          ", but the program was compiled for ",
          program.parameter_shape(i).ToString(true)));
    }
    if (argument.device_ordinal() != device) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", i, " is on device ",
                       argument.device_ordinal(), ", but the run on ", device));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Literal>> LocalExecutable::ReadArguments(
    absl::Span<const ShapedBuffer* const> arguments) const {
  std::vector<Literal> literals;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::StatusOr<Literal> literal = CopyToHost(*arguments[i]);
    TF_RETURN_IF_ERROR(OfArgument(i, literal.status()));
    literals.push_back(*std::move(literal));
  }
  return literals;
}

absl::StatusOr<int64_t> LocalExecutable::LogicalDevice(
    int device, const ExecutableRunOptions& run_options) const {
  const int replicas = executable_->num_replicas();
  const int partitions = executable_->num_partitions();
  const DeviceAssignment* assignment = run_options.device_assignment();
  DeviceAssignment by_number;
  if (assignment == nullptr && build_options_.has_device_assignment()) {
    assignment = &build_options_.device_assignment();
  }
  if (assignment == nullptr) {
    TF_ASSIGN_OR_RETURN(by_number,
                        ComputationPlacer::AssignDevices(replicas, partitions));
    assignment = &by_number;
  }
  if (assignment->replica_count() != replicas ||
      assignment->computation_count() != partitions) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the device assignment is for ", assignment->replica_count(),
        " replicas of ", assignment->computation_count(),
        " partitions, but the program for ", replicas, " of ", partitions));
  }
  TF_ASSIGN_OR_RETURN(const DeviceAssignment::LogicalID id,
                      assignment->LogicalIdForDevice(device));
  return int64_t{id.replica_id} * partitions + id.computation_id;
}

absl::StatusOr<Executable::RunOptions> LocalExecutable::OptionsOf(
    const ExecutableRunOptions& run_options, int only_device) const {
  Executable::RunOptions options;
  options.seed = backend_.SeedFor(run_options.rng_seed() != 0
                                      ? run_options.rng_seed()
                                      : executable_->module().config().seed());
  options.run_id = run_options.run_id().ToInt();
  options.launch_id = run_options.launch_id();
  options.ffi_context = run_options.ffi_execution_context();
  if (only_device >= 0) {
    TF_ASSIGN_OR_RETURN(options.queues.emplace_back(),
                        backend_.Queues(only_device));
    return options;
  }
  options.queues.resize(executable_->num_devices());
  for (int device = 0; device < backend_.device_count(); ++device) {
    const absl::StatusOr<int64_t> logical = LogicalDevice(device, run_options);
    if (!logical.ok()) continue;  // not a device of this program
    TF_ASSIGN_OR_RETURN(options.queues[*logical], backend_.Queues(device));
  }
  return options;
}

absl::StatusOr<Literal> LocalExecutable::RunDevice(
    std::vector<Literal> arguments, int device,
    const ExecutableRunOptions& run_options) {
  const int64_t count = executable_->num_devices();
  if (count == 1) {
    std::vector<std::vector<Literal>> all(1);
    all[0] = std::move(arguments);
    TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                        RunAll(all, run_options, device));
    return std::move(results[0]);
  }
  TF_ASSIGN_OR_RETURN(const int64_t logical,
                      LogicalDevice(device, run_options));
  return rendezvous_.Join(run_options.run_id().ToInt(), logical, count,
                          std::move(arguments),
                          [&](const std::vector<std::vector<Literal>>& all) {
                            return RunAll(all, run_options, /*only_device=*/-1);
                          });
}

absl::StatusOr<std::vector<Literal>> LocalExecutable::RunAll(
    absl::Span<const std::vector<Literal>> arguments,
    const ExecutableRunOptions& run_options, int only_device) const {
  TF_ASSIGN_OR_RETURN(const Executable::RunOptions options,
                      OptionsOf(run_options, only_device));
  std::vector<std::vector<const Literal*>> borrowed(arguments.size());
  for (size_t d = 0; d < arguments.size(); ++d) {
    for (const Literal& argument : arguments[d]) {
      borrowed[d].push_back(&argument);
    }
  }
  return executable_->Execute(borrowed, options);
}

}  // namespace xla
