// Compiling and running; client_transfer.cc moves values in and out.
#include "xla/client/client.h"

#include <chrono>
#include <optional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/core/layout_util.h"
#include "xla/hlo/evaluator/replicated.h"

namespace xla {
namespace {

// Compiles and records the time in `profile`, which may be null.
absl::StatusOr<std::shared_ptr<Executable>> CompileTimed(
    Service& service, const XlaComputation& computation,
    const ExecutionOptions& options, ExecutionProfile* profile) {
  const auto start = std::chrono::steady_clock::now();
  TF_ASSIGN_OR_RETURN(
      std::shared_ptr<Executable> executable,
      service.Compile(computation, /*argument_shapes=*/std::nullopt, options));
  if (profile != nullptr) {
    profile->set_compile_time_ms(
        std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - start)
            .count());
  }
  return executable;
}

ExecutionOptions OptionsOrDefault(const ExecutionOptions* options) {
  return options != nullptr ? *options : CreateDefaultExecutionOptions();
}

}  // namespace

absl::StatusOr<ExecutionHandle> Client::Compile(
    const XlaComputation& computation, absl::Span<const Shape> argument_shapes,
    const ExecutionOptions* execution_options) {
  std::vector<const Shape*> shapes;
  for (const Shape& shape : argument_shapes) shapes.push_back(&shape);
  TF_ASSIGN_OR_RETURN(
      std::shared_ptr<Executable> executable,
      service_->Compile(computation, absl::MakeConstSpan(shapes),
                        OptionsOrDefault(execution_options)));
  return service_->Keep(std::move(executable));
}

absl::StatusOr<DeviceValues> Client::Run(
    const Executable& executable, absl::Span<GlobalData* const> arguments,
    const ExecutionOptions* options, ExecutionProfile* profile) {
  std::vector<const GlobalDataHandle*> handles;
  for (const GlobalData* argument : arguments) {
    if (argument == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("argument ", handles.size(), " is null"));
    }
    handles.push_back(&argument->handle());
  }
  const DeviceHandle* device = nullptr;
  if (options != nullptr && options->device_handles_size() > 0) {
    device = &options->device_handles(0);
  }
  return service_->Execute(executable, handles, device, profile);
}

std::unique_ptr<GlobalData> Client::Hold(DeviceValues values) {
  return std::make_unique<GlobalData>(
      service_, service_->global_data()->Add(std::move(values)));
}

absl::StatusOr<std::unique_ptr<GlobalData>> Client::Execute(
    const ExecutionHandle& handle, absl::Span<GlobalData* const> arguments,
    ExecutionProfile* execution_profile) {
  TF_ASSIGN_OR_RETURN(const std::shared_ptr<Executable> executable,
                      service_->Find(handle));
  TF_ASSIGN_OR_RETURN(
      DeviceValues values,
      Run(*executable, arguments, /*options=*/nullptr, execution_profile));
  return Hold(std::move(values));
}

absl::StatusOr<std::unique_ptr<GlobalData>> Client::Execute(
    const XlaComputation& computation, absl::Span<GlobalData* const> arguments,
    const ExecutionOptions* execution_options,
    ExecutionProfile* execution_profile) {
  const ExecutionOptions options = OptionsOrDefault(execution_options);
  TF_ASSIGN_OR_RETURN(
      const std::shared_ptr<Executable> executable,
      CompileTimed(*service_, computation, options, execution_profile));
  TF_ASSIGN_OR_RETURN(DeviceValues values,
                      Run(*executable, arguments, &options, execution_profile));
  return Hold(std::move(values));
}

absl::StatusOr<Literal> Client::ExecuteAndTransfer(
    const XlaComputation& computation, absl::Span<GlobalData* const> arguments,
    const ExecutionOptions* execution_options,
    ExecutionProfile* execution_profile) {
  TF_ASSIGN_OR_RETURN(
      const std::unique_ptr<GlobalData> data,
      Execute(computation, arguments, execution_options, execution_profile));
  return Transfer(*data);
}

absl::StatusOr<std::vector<std::unique_ptr<GlobalData>>>
Client::ExecuteParallel(absl::Span<const XlaComputationInstance> computations) {
  std::vector<std::shared_ptr<Executable>> executables;
  for (const XlaComputationInstance& instance : computations) {
    TF_ASSIGN_OR_RETURN(
        executables.emplace_back(),
        CompileTimed(*service_, instance.computation,
                     instance.execution_options, instance.execution_profile));
  }
  std::vector<absl::StatusOr<DeviceValues>> results(
      computations.size(), absl::InternalError("did not run"));
  std::vector<std::thread> threads;
  for (size_t i = 0; i < computations.size(); ++i) {
    threads.emplace_back([&, i] {
      const XlaComputationInstance& instance = computations[i];
      results[i] = Run(*executables[i], instance.arguments,
                       &instance.execution_options, instance.execution_profile);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::unique_ptr<GlobalData>> held;
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].ok()) {
      return AddStatus(results[i].status(), absl::StrCat("computation ", i));
    }
    held.push_back(Hold(*std::move(results[i])));
  }
  return held;
}

absl::StatusOr<std::vector<DeviceHandle>> Client::GetDeviceHandles(
    int64_t device_count) {
  if (device_count < 1 || device_count > Backend::kMaxDevices) {
    return absl::InvalidArgumentError(
        absl::StrCat("handles of ", device_count, " devices are wanted: 1 to ",
                     Backend::kMaxDevices, " are possible"));
  }
  TF_RETURN_IF_ERROR(service_->backend().EnsureDevices(
      device_count * service_->number_of_replicas()));
  std::vector<DeviceHandle> handles(device_count);
  for (int64_t i = 0; i < device_count; ++i) {
    handles[i].set_handle(i);
    handles[i].set_device_count(device_count);
  }
  return handles;
}

absl::StatusOr<Literal> Client::ComputeConstant(
    const XlaComputation& computation, const Layout* output_layout) const {
  ExecutionOptions options = CreateDefaultExecutionOptions();
  options.set_num_replicas(1);
  TF_ASSIGN_OR_RETURN(
      const std::shared_ptr<Executable> executable,
      service_->Compile(computation, /*argument_shapes=*/std::nullopt,
                        options));
  const HloModule& module = executable->module();
  if (module.entry_computation()->num_parameters() > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("program ", module.name(), " has ",
                     module.entry_computation()->num_parameters(),
                     " parameters, so its result is not constant"));
  }
  TF_ASSIGN_OR_RETURN(std::vector<Literal> results,
                      executable->Execute({std::vector<const Literal*>()}, {}));
  if (output_layout == nullptr) return std::move(results[0]);
  TF_RETURN_IF_ERROR(
      LayoutUtil::ValidateLayoutForShape(*output_layout, results[0].shape()));
  return results[0].Relayout(*output_layout);
}

absl::StatusOr<std::unique_ptr<ProgramShape>> Client::GetComputationShape(
    const XlaComputation& computation) {
  TF_ASSIGN_OR_RETURN(ProgramShape shape, computation.GetProgramShape());
  return std::make_unique<ProgramShape>(std::move(shape));
}

absl::StatusOr<XlaComputation> Client::LoadSnapshot(const HloSnapshot& module) {
  if (!module.has_hlo() || !module.hlo().has_hlo_module()) {
    return absl::InvalidArgumentError("the snapshot has no program");
  }
  return XlaComputation(module.hlo().hlo_module());
}

}  // namespace xla
