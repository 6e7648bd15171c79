// Runs programs: converts arguments, options and callbacks from C for the
// client, and results back. The call for one device without callbacks is the
// hot path: it allocates only the handles that it returns.
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/functions/functions.h"

namespace xla::pjrt {
namespace {

using Args = PJRT_LoadedExecutable_Execute_Args;

// Must outlive the call of the execution, whose options point to them.
struct Callbacks {
  std::vector<std::vector<SendCallback>> sends;
  std::vector<std::vector<RecvCallback>> receives;
};

SendCallback ReadSend(const PJRT_SendCallbackInfo& info) {
  return {info.channel_id,
          [callback = info.send_callback, user_arg = info.user_arg](
              const PjRtTransferMetadata&, PjRtChunk chunk, size_t total_bytes,
              bool done) -> absl::Status {
            auto* owned = new PjRtChunk(std::move(chunk));
            PJRT_Chunk c = {
                owned->data(), static_cast<size_t>(owned->size()),
                [](void*, void* arg) { delete static_cast<PjRtChunk*>(arg); },
                owned};
            PJRT_CallbackError make_error = CallbackError;
            PJRT_Error* error =
                callback(&c, &make_error, total_bytes, done, user_arg);
            absl::Status status = StatusOf(error);
            if (error != nullptr && error->vtable != nullptr) {
              error->vtable->destroy(error);
            }
            return status;
          }};
}

RecvCallback ReadRecv(const PJRT_RecvCallbackInfo& info) {
  return {info.channel_id,
          [callback = info.recv_callback, user_arg = info.user_arg](
              const PjRtTransferMetadata&,
              std::unique_ptr<CopyToDeviceStream> stream) {
            auto handle = std::make_unique<PJRT_CopyToDeviceStream>();
            handle->stream = std::move(stream);
            callback(handle.release(), user_arg);
          }};
}

absl::Status ReadCallbacks(const PJRT_ExecuteOptions& options,
                           size_t num_devices, Callbacks* callbacks) {
  if (options.num_send_ops > 0) {
    TF_RETURN_IF_ERROR(
        CheckPointer(options.send_callbacks, "options.send_callbacks"));
  }
  if (options.num_recv_ops > 0) {
    TF_RETURN_IF_ERROR(
        CheckPointer(options.recv_callbacks, "options.recv_callbacks"));
  }
  callbacks->sends.resize(num_devices);
  callbacks->receives.resize(num_devices);
  for (size_t device = 0; device < num_devices; ++device) {
    for (size_t i = 0; i < options.num_send_ops; ++i) {
      TF_RETURN_IF_ERROR(CheckPointer(options.send_callbacks[device],
                                      "options.send_callbacks[device]"));
      const PJRT_SendCallbackInfo& info = options.send_callbacks[device][i];
      if (info.send_callback == nullptr) return NullError("send_callback");
      callbacks->sends[device].push_back(ReadSend(info));
    }
    for (size_t i = 0; i < options.num_recv_ops; ++i) {
      TF_RETURN_IF_ERROR(CheckPointer(options.recv_callbacks[device],
                                      "options.recv_callbacks[device]"));
      const PJRT_RecvCallbackInfo& info = options.recv_callbacks[device][i];
      if (info.recv_callback == nullptr) return NullError("recv_callback");
      callbacks->receives[device].push_back(ReadRecv(info));
    }
  }
  return absl::OkStatus();
}

// Reads the members after the context, whose presence depends on the size.
absl::Status ReadLaterOptions(const PJRT_ExecuteOptions& options,
                              ExecuteOptions* out) {
  if (HasMember(options,
                PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, call_location)) &&
      options.call_location != nullptr) {
    out->call_location = options.call_location;
  }
  if (HasMember(options,
                PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, multi_slice_config)) &&
      options.multi_slice_config != nullptr) {
    return Unimplemented(
        "PJRT_LoadedExecutable_Execute: there are no slices to configure");
  }
  if (HasMember(options, PJRT_STRUCT_SIZE(PJRT_ExecuteOptions,
                                          num_hlo_output_callbacks)) &&
      options.num_hlo_output_callbacks != 0) {
    return Unimplemented(
        "PJRT_LoadedExecutable_Execute: callbacks with outputs of single "
        "operations are not supported");
  }
  return absl::OkStatus();
}

absl::Status ReadOptions(const PJRT_ExecuteOptions* options, size_t num_devices,
                         ExecuteOptions* out, Callbacks* callbacks) {
  if (options == nullptr) return absl::OkStatus();
  if (options->struct_size <
      PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, num_non_donatable_input_indices)) {
    return ArgumentError("options.struct_size is too small");
  }
  out->launch_id = options->launch_id;
  TF_ASSIGN_OR_RETURN(absl::Span<const int64_t> kept,
                      ArrayArgument(options->non_donatable_input_indices,
                                    options->num_non_donatable_input_indices,
                                    "options.non_donatable_input_indices"));
  for (const int64_t index : kept) {
    if (index < 0 || index > std::numeric_limits<int>::max()) continue;
    out->non_donatable_input_indices.insert(static_cast<int>(index));
  }
  if (HasMember(*options, PJRT_STRUCT_SIZE(PJRT_ExecuteOptions, context)) &&
      options->context != nullptr) {
    TF_RETURN_IF_ERROR(CheckHandle(options->context, "options.context"));
    out->context = &options->context->context;
  }
  TF_RETURN_IF_ERROR(ReadLaterOptions(*options, out));
  if (options->num_send_ops == 0 && options->num_recv_ops == 0) {
    return absl::OkStatus();
  }
  TF_RETURN_IF_ERROR(ReadCallbacks(*options, num_devices, callbacks));
  out->send_callbacks = callbacks->sends;
  out->recv_callbacks = callbacks->receives;
  // The callbacks' data is dense and row-major: the C API cannot express more.
  out->use_major_to_minor_data_layout_for_callbacks = true;
  return absl::OkStatus();
}

// Appends the arguments of a device to `out`, any vector of buffers.
template <typename Vector>
absl::Status ReadArguments(const Args& args, size_t device, Vector* out) {
  if (args.num_args == 0) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckPointer(args.argument_lists, "argument_lists"));
  PJRT_Buffer* const* list = args.argument_lists[device];
  TF_RETURN_IF_ERROR(CheckPointer(list, "argument_lists[device]"));
  out->reserve(args.num_args);
  for (size_t i = 0; i < args.num_args; ++i) {
    TF_RETURN_IF_ERROR(CheckHandle(list[i], "argument_lists[device][i]"));
    out->push_back(list[i]->buffer.get());
  }
  return absl::OkStatus();
}

void WriteResults(const Args& args, size_t device,
                  std::vector<std::unique_ptr<PjRtBuffer>>& results) {
  for (size_t i = 0; i < results.size(); ++i) {
    args.output_lists[device][i] =
        new PJRT_Buffer(args.executable->client, std::move(results[i]));
  }
}

absl::Status CheckCounts(const Args& args) {
  const PjRtExecutable& executable =
      *args.executable->executable->GetExecutable();
  const size_t devices =
      args.execute_device != nullptr ? 1 : args.executable->devices.size();
  if (args.num_devices != devices) {
    return ArgumentError(absl::StrCat("num_devices is ", args.num_devices,
                                      ", the program runs on ", devices));
  }
  // All devices of the program belong to other processes.
  if (devices == 0) return absl::OkStatus();
  if (args.num_args != executable.parameters().size()) {
    return ArgumentError(
        absl::StrCat("num_args is ", args.num_args, ", the program has ",
                     executable.parameters().size(), " parameters"));
  }
  if (executable.num_outputs() == 0) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckPointer(args.output_lists, "output_lists"));
  for (size_t device = 0; device < devices; ++device) {
    TF_RETURN_IF_ERROR(
        CheckPointer(args.output_lists[device], "output_lists[device]"));
  }
  return absl::OkStatus();
}

// Runs on one device: the program's, or any for a portable program.
absl::Status ExecuteOne(Args& args, const ExecuteOptions& options) {
  absl::InlinedVector<PjRtBuffer*, 16> arguments;
  TF_RETURN_IF_ERROR(ReadArguments(args, 0, &arguments));
  const PjRtLoadedExecutable& executable = *args.executable->executable;
  std::optional<Future<>> done;
  const bool fill = args.device_complete_events != nullptr;
  PjRtDevice* device = args.execute_device != nullptr
                           ? args.execute_device->device
                           : args.executable->devices[0]->device;
  TF_ASSIGN_OR_RETURN(
      std::vector<std::unique_ptr<PjRtBuffer>> results,
      executable.is_portable()
          ? executable.ExecutePortable(arguments, device, options, done, fill)
          : executable.ExecuteSharded(arguments, device, options, done, fill));
  WriteResults(args, 0, results);
  if (fill) {
    args.device_complete_events[0] =
        new PJRT_Event(done.has_value() ? done->event() : Event());
  }
  return absl::OkStatus();
}

// Runs on all devices of the program together.
absl::Status ExecuteAll(Args& args, const ExecuteOptions& options) {
  std::vector<std::vector<PjRtBuffer*>> arguments(args.num_devices);
  for (size_t device = 0; device < args.num_devices; ++device) {
    TF_RETURN_IF_ERROR(ReadArguments(args, device, &arguments[device]));
  }
  std::optional<std::vector<Future<>>> done;
  if (args.device_complete_events != nullptr) done.emplace();
  TF_ASSIGN_OR_RETURN(auto results, args.executable->executable->Execute(
                                        arguments, options, done));
  for (size_t device = 0; device < args.num_devices; ++device) {
    WriteResults(args, device, results[device]);
    if (args.device_complete_events != nullptr) {
      args.device_complete_events[device] = new PJRT_Event(
          done.has_value() && device < done->size() ? (*done)[device].event()
                                                    : Event());
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status LoadedExecutableExecute(PJRT_LoadedExecutable_Execute_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.executable, "executable"));
  if (args.execute_device != nullptr) {
    TF_RETURN_IF_ERROR(CheckHandle(args.execute_device, "execute_device"));
    if (args.execute_device->client != args.executable->client) {
      return ArgumentError("execute_device belongs to another client");
    }
  }
  TF_RETURN_IF_ERROR(CheckCounts(args));
  ExecuteOptions options;
  Callbacks callbacks;
  TF_RETURN_IF_ERROR(
      ReadOptions(args.options, args.num_devices, &options, &callbacks));
  return args.num_devices == 1 ? ExecuteOne(args, options)
                               : ExecuteAll(args, options);
}

}  // namespace xla::pjrt
