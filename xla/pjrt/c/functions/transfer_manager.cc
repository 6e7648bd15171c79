// Transfer managers: buffers that the host fills piece by piece.
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/backends/array_memory.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {
namespace {

// For any of the argument structs.
template <typename Args>
absl::Status CheckIndex(const Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.transfer_manager, "transfer_manager"));
  const size_t count = args.transfer_manager->manager->buffer_count();
  if (args.buffer_index >= 0 &&
      static_cast<size_t>(args.buffer_index) < count) {
    return absl::OkStatus();
  }
  return ArgumentError(absl::StrCat("buffer_index is ", args.buffer_index,
                                    ", of ", count, " buffers"));
}

}  // namespace

absl::Status AsyncHostToDeviceTransferManagerDestroy(
    PJRT_AsyncHostToDeviceTransferManager_Destroy_Args& args) {
  if (args.transfer_manager == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.transfer_manager, "transfer_manager"));
  delete args.transfer_manager;
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerTransferData(
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args& args) {
  TF_RETURN_IF_ERROR(CheckIndex(args));
  if (args.transfer_size != 0) {
    TF_RETURN_IF_ERROR(
        CheckPointer(static_cast<const char*>(args.data), "data"));
  }
  const Event done = Event::Pending();
  TF_RETURN_IF_ERROR(args.transfer_manager->manager->TransferRawDataToSubBuffer(
      args.buffer_index, args.data, args.offset, args.transfer_size,
      args.is_last_transfer, [done] { done.Set(); }));
  args.done_with_h2d_transfer = new PJRT_Event(done);
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerTransferLiteral(
    PJRT_AsyncHostToDeviceTransferManager_TransferLiteral_Args& args) {
  TF_RETURN_IF_ERROR(CheckIndex(args));
  TF_ASSIGN_OR_RETURN(const Shape shape,
                      ReadShape(args.shape_element_type, args.shape_dims,
                                args.shape_num_dims, args.shape_layout));
  if (ElementsBytes(shape) > 0) {
    TF_RETURN_IF_ERROR(
        CheckPointer(static_cast<const char*>(args.data), "data"));
  }
  const Event done = Event::Pending();
  const BorrowingLiteral literal(static_cast<const char*>(args.data), shape);
  TF_RETURN_IF_ERROR(args.transfer_manager->manager->TransferLiteralToBuffer(
      args.buffer_index, literal, [done] { done.Set(); }));
  args.done_with_h2d_transfer = new PJRT_Event(done);
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerRetrieveBuffer(
    PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args& args) {
  TF_RETURN_IF_ERROR(CheckIndex(args));
  std::unique_ptr<PjRtBuffer> buffer =
      args.transfer_manager->manager->RetrieveBuffer(args.buffer_index);
  if (buffer == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat(
        "PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer: buffer ",
        args.buffer_index, " was retrieved before"));
  }
  args.buffer_out =
      new PJRT_Buffer(args.transfer_manager->client, std::move(buffer));
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerDevice(
    PJRT_AsyncHostToDeviceTransferManager_Device_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.transfer_manager, "transfer_manager"));
  args.device_out = args.transfer_manager->client->HandleOf(
      args.transfer_manager->manager->device());
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerBufferCount(
    PJRT_AsyncHostToDeviceTransferManager_BufferCount_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.transfer_manager, "transfer_manager"));
  args.buffer_count = args.transfer_manager->manager->buffer_count();
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerBufferSize(
    PJRT_AsyncHostToDeviceTransferManager_BufferSize_Args& args) {
  TF_RETURN_IF_ERROR(CheckIndex(args));
  args.buffer_size =
      args.transfer_manager->manager->buffer_size(args.buffer_index);
  return absl::OkStatus();
}

absl::Status AsyncHostToDeviceTransferManagerSetBufferError(
    PJRT_AsyncHostToDeviceTransferManager_SetBufferError_Args& args) {
  TF_RETURN_IF_ERROR(CheckIndex(args));
  TF_ASSIGN_OR_RETURN(const ReportedError error,
                      ErrorArgument(args.error_code, args.error_message,
                                    args.error_message_size));
  return args.transfer_manager->manager->FailBuffer(args.buffer_index,
                                                    error.status);
}

absl::Status AsyncHostToDeviceTransferManagerAddMetadata(
    PJRT_AsyncHostToDeviceTransferManager_AddMetadata_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.transfer_manager, "transfer_manager"));
  // The metadata is ignored, but its errors are reported.
  return ReadNamedValues(args.transfer_metadata, args.num_metadata,
                         "transfer_metadata")
      .status();
}

}  // namespace xla::pjrt
