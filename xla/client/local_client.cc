// Moves values in and out of device memory, and compiles executables for it.
#include "xla/client/local_client.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/client/buffers/buffer_transfer.h"

namespace xla {

absl::StatusOr<std::unique_ptr<Executable>> LocalClient::MakeExecutable(
    const XlaComputation& computation,
    absl::Span<const Shape* const> argument_layouts,
    const ExecutableBuildOptions& options) {
  if (options.device_ordinal() != -1) {
    TF_RETURN_IF_ERROR(
        service_->backend().CheckDevice(options.device_ordinal()));
  }
  for (size_t i = 0; i < argument_layouts.size(); ++i) {
    if (argument_layouts[i] == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("the layout of argument ", i, " is null"));
    }
  }
  if (options.num_replicas() < 1 || options.num_partitions() < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot compile for ", options.num_replicas(),
                     " replicas of ", options.num_partitions(), " partitions"));
  }
  return service_->Compile(
      computation, argument_layouts,
      CreateExecutionOptions(options, /*program_shape=*/nullptr));
}

absl::StatusOr<std::vector<std::unique_ptr<LocalExecutable>>>
LocalClient::Compile(const XlaComputation& computation,
                     absl::Span<const Shape* const> argument_layouts,
                     const ExecutableBuildOptions& options) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                      MakeExecutable(computation, argument_layouts, options));
  std::vector<std::unique_ptr<LocalExecutable>> executables;
  executables.push_back(std::make_unique<LocalExecutable>(
      std::move(executable), &service_->backend(), options));
  return executables;
}

absl::StatusOr<std::vector<std::unique_ptr<CompiledModule>>>
LocalClient::CompileAheadOfTime(const XlaComputation& computation,
                                absl::Span<const Shape* const> argument_layouts,
                                const ExecutableBuildOptions& options) {
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                      MakeExecutable(computation, argument_layouts, options));
  std::vector<std::unique_ptr<CompiledModule>> modules;
  modules.push_back(MakeCompiledModule(std::move(executable)));
  return modules;
}

absl::StatusOr<std::unique_ptr<LocalExecutable>> LocalClient::Load(
    const std::string& serialized_aot_result,
    const ExecutableBuildOptions& options) {
  TF_ASSIGN_OR_RETURN(
      std::unique_ptr<Executable> executable,
      LoadCompiledModule(
          serialized_aot_result,
          CreateExecutionOptions(options, nullptr).debug_options(),
          *service_->backend().compiler()));
  return Hold(std::move(executable), options);
}

absl::StatusOr<std::unique_ptr<LocalExecutable>> LocalClient::Load(
    std::unique_ptr<CompiledModule> aot_result,
    const ExecutableBuildOptions& options) {
  if (aot_result == nullptr) {
    return absl::InvalidArgumentError("there is no compiled module to load");
  }
  TF_ASSIGN_OR_RETURN(std::unique_ptr<Executable> executable,
                      std::move(*aot_result).LoadExecutable());
  return Hold(std::move(executable), options);
}

absl::StatusOr<std::unique_ptr<LocalExecutable>> LocalClient::Hold(
    std::unique_ptr<Executable> executable,
    const ExecutableBuildOptions& options) {
  TF_RETURN_IF_ERROR(
      service_->backend().EnsureDevices(executable->num_devices()));
  return std::make_unique<LocalExecutable>(std::move(executable),
                                           &service_->backend(), options);
}

absl::StatusOr<ScopedShapedBuffer> LocalClient::LiteralToShapedBuffer(
    const LiteralSlice& literal, int device_ordinal,
    se::DeviceMemoryAllocator* allocator) {
  TF_RETURN_IF_ERROR(service_->backend().CheckDevice(device_ordinal));
  return CopyToDevice(
      literal,
      allocator != nullptr ? allocator : service_->backend().memory_allocator(),
      device_ordinal);
}

absl::StatusOr<GlobalDataHandle> LocalClient::TransferToLocalServer(
    const ::xla::BorrowingLiteral& literal, int device_ordinal) {
  TF_RETURN_IF_ERROR(service_->backend().CheckDevice(device_ordinal));
  return service_->global_data()->Add(
      {std::make_shared<const Literal>(literal.Clone())});
}

absl::StatusOr<Literal> LocalClient::ShapedBufferToLiteral(
    const ShapedBuffer& shaped_buffer) {
  return CopyToHost(shaped_buffer);
}

absl::StatusOr<const ShapedBuffer*> LocalClient::GlobalDataToShapedBuffer(
    const GlobalDataHandle& data, int replica_number) {
  return service_->global_data()->BufferOf(
      data, replica_number, service_->backend().memory_allocator());
}

absl::Status LocalClient::TransferToInfeedLocal(const LiteralSlice& literal,
                                                int device_ordinal) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      service_->backend().Queues(device_ordinal));
  queues->TransferToInfeed(literal.Clone());
  return absl::OkStatus();
}

absl::Status LocalClient::TransferFromOutfeedLocal(
    int device_ordinal, MutableBorrowingLiteral literal) {
  TF_ASSIGN_OR_RETURN(TransferQueues * queues,
                      service_->backend().Queues(device_ordinal));
  TF_ASSIGN_OR_RETURN(const Literal value,
                      queues->TransferFromOutfeed(queues->device_timeout()));
  return literal.CopyFrom(value);
}

absl::StatusOr<int> LocalClient::ReplicaNumberToDeviceOrdinal(
    int replica_number) {
  TF_ASSIGN_OR_RETURN(const int64_t device,
                      service_->DeviceFor(/*handle=*/nullptr, replica_number));
  TF_RETURN_IF_ERROR(service_->backend().CheckDevice(device));
  return device;
}

}  // namespace xla
