// The CrossHostTransfers extension, on top of PjRtClient.
#include <memory>
#include <utility>
#include <vector>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/convert/array_types.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_cross_host_transfers_extension.h"

namespace xla::pjrt {
namespace {

std::vector<PjRtGlobalDeviceId> DeviceIds(absl::Span<const int32_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<CrossHostTransferKey> TransferKeys(
    absl::Span<const int64_t> numbers) {
  return {numbers.begin(), numbers.end()};
}

absl::Status SendBuffers(
    PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  const size_t count = args.num_buffers;
  TF_ASSIGN_OR_RETURN(const auto handles,
                      ArrayArgument(args.buffers, count, "buffers"));
  TF_ASSIGN_OR_RETURN(const auto devices,
                      ArrayArgument(args.dst_global_device_ids, count,
                                    "dst_global_device_ids"));
  TF_ASSIGN_OR_RETURN(const auto keys, ArrayArgument(args.transfer_keys, count,
                                                     "transfer_keys"));
  TF_RETURN_IF_ERROR(
      ArrayArgument(args.send_events, count, "send_events").status());
  std::vector<PjRtBuffer*> buffers;
  for (const PJRT_Buffer* handle : handles) {
    TF_RETURN_IF_ERROR(CheckHandle(handle, "buffers"));
    buffers.push_back(handle->buffer.get());
  }
  TF_ASSIGN_OR_RETURN(const std::vector<Future<>> futures,
                      args.client->client->CrossHostSendBuffers(
                          buffers, DeviceIds(devices), TransferKeys(keys)));
  for (size_t i = 0; i < count; ++i) {
    args.send_events[i] = new PJRT_Event(futures[i].event());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Shape>> ReadShapes(
    const PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args& args) {
  const size_t count = args.num_shapes;
  TF_ASSIGN_OR_RETURN(const auto ranks, ArrayArgument(args.shape_num_dims,
                                                      count, "shape_num_dims"));
  TF_ASSIGN_OR_RETURN(const auto dims,
                      ArrayArgument(args.num_dims, count, "num_dims"));
  TF_ASSIGN_OR_RETURN(const auto types, ArrayArgument(args.element_types, count,
                                                      "element_types"));
  std::vector<Shape> shapes;
  for (size_t i = 0; i < count; ++i) {
    const PJRT_Buffer_MemoryLayout* layout =
        args.layouts == nullptr ? nullptr : args.layouts[i];
    TF_ASSIGN_OR_RETURN(Shape shape,
                        ReadShape(types[i], dims[i], ranks[i], layout));
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

absl::Status ReceiveBuffers(
    PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  TF_RETURN_IF_ERROR(CheckHandle(args.device, "device"));
  if (args.device->client != args.client) {
    return ArgumentError("device belongs to another client");
  }
  const size_t count = args.num_shapes;
  TF_ASSIGN_OR_RETURN(const std::vector<Shape> shapes, ReadShapes(args));
  TF_ASSIGN_OR_RETURN(const auto devices,
                      ArrayArgument(args.src_global_device_ids, count,
                                    "src_global_device_ids"));
  TF_ASSIGN_OR_RETURN(const auto keys, ArrayArgument(args.transfer_keys, count,
                                                     "transfer_keys"));
  TF_RETURN_IF_ERROR(ArrayArgument(args.buffers, count, "buffers").status());
  TF_ASSIGN_OR_RETURN(
      std::vector<std::unique_ptr<PjRtBuffer>> buffers,
      args.client->client->CrossHostReceiveBuffers(
          args.device->device, shapes, DeviceIds(devices), TransferKeys(keys)));
  for (size_t i = 0; i < count; ++i) {
    args.buffers[i] = new PJRT_Buffer(args.client, std::move(buffers[i]));
  }
  return absl::OkStatus();
}

absl::Status NoDescriptors() {
  return absl::UnimplementedError(
      "transfers by descriptors, whose receiver does not know the sender, are "
      "not implemented; CrossHostSendBuffers and CrossHostReceiveBuffers are");
}

absl::Status MakeReceiveBuffers(
    PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.client, "client"));
  return NoDescriptors();
}

void CopyToRemoteDevice(
    PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args* args) {
  if (args == nullptr ||
      args->struct_size <
          PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice_Args_STRUCT_SIZE) {
    return;  // it has nobody to tell
  }
  if (CheckHandle(args->event, "event").ok()) delete args->event;
  if (args->on_done.on_done == nullptr) return;
  args->on_done.on_done(MakeError(NoDescriptors()),
                        /*sends_were_enqueued=*/false, args->on_done.user_arg);
}

#define TESSERA_ENTRY(name, function) \
  extension.name = Function<#name, name##_Args_STRUCT_SIZE, function>::Call

}  // namespace

PJRT_Extension_Base* CrossHostTransfersExtension(PJRT_Extension_Base* next) {
  static PJRT_CrossHostTransfers_Extension extension;
  extension.base = {PJRT_CrossHostTransfers_Extension_STRUCT_SIZE,
                    PJRT_Extension_Type_CrossHostTransfers, next};
  TESSERA_ENTRY(PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers,
                MakeReceiveBuffers);
  extension.PJRT_Transfers_PJRT_Buffer_CopyToRemoteDevice = CopyToRemoteDevice;
  TESSERA_ENTRY(PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers,
                ReceiveBuffers);
  TESSERA_ENTRY(PJRT_Transfers_PJRT_Client_CrossHostSendBuffers, SendBuffers);
  return &extension.base;
}

#undef TESSERA_ENTRY

}  // namespace xla::pjrt
