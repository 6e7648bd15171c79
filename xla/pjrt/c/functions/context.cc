// The inputs of executions other than arguments: contexts, and the streams to
// which receive callbacks write.
#include <memory>
#include <utility>

#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {

absl::Status ExecuteContextCreate(PJRT_ExecuteContext_Create_Args& args) {
  args.context = new PJRT_ExecuteContext;
  return absl::OkStatus();
}

absl::Status ExecuteContextDestroy(PJRT_ExecuteContext_Destroy_Args& args) {
  if (args.context == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.context, "context"));
  delete args.context;
  return absl::OkStatus();
}

absl::Status CopyToDeviceStreamDestroy(
    PJRT_CopyToDeviceStream_Destroy_Args& args) {
  if (args.stream == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.stream, "stream"));
  delete args.stream;
  return absl::OkStatus();
}

absl::Status CopyToDeviceStreamAddChunk(
    PJRT_CopyToDeviceStream_AddChunk_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.stream, "stream"));
  TF_RETURN_IF_ERROR(CheckPointer(args.chunk, "chunk"));
  std::function<void(void*)> deleter;
  if (args.chunk->deleter != nullptr) {
    deleter = [deleter = args.chunk->deleter, arg = args.chunk->deleter_arg](
                  void* data) { deleter(data, arg); };
  }
  PjRtChunk chunk(args.chunk->data, args.chunk->size, std::move(deleter));
  if (args.chunk->size != 0) {
    TF_RETURN_IF_ERROR(
        CheckPointer(static_cast<const char*>(args.chunk->data), "chunk.data"));
  }
  const Future<> done = args.stream->stream->AddChunk(std::move(chunk));
  args.transfer_complete = new PJRT_Event(done.event());
  return absl::OkStatus();
}

absl::Status CopyToDeviceStreamTotalBytes(
    PJRT_CopyToDeviceStream_TotalBytes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.stream, "stream"));
  args.total_bytes = args.stream->stream->total_bytes();
  return absl::OkStatus();
}

absl::Status CopyToDeviceStreamGranuleSize(
    PJRT_CopyToDeviceStream_GranuleSize_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.stream, "stream"));
  args.granule_size_in_bytes = args.stream->stream->granule_size_in_bytes();
  return absl::OkStatus();
}

absl::Status CopyToDeviceStreamCurrentBytes(
    PJRT_CopyToDeviceStream_CurrentBytes_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.stream, "stream"));
  args.current_bytes = args.stream->stream->current_bytes();
  return absl::OkStatus();
}

}  // namespace xla::pjrt
