// The Profiler extension: sessions that start and stop. They record nothing so
// far; their data is an XSpace without planes, which has no bytes.
#include <new>
#include <string>
#include <utility>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_profiler_extension.h"

struct PLUGIN_Profiler_Error {
  xla::pjrt::Tag<'P'> tag;
  absl::Status status;
};

struct PLUGIN_Profiler {
  xla::pjrt::Tag<'p'> tag;
  std::mutex mutex;  // guards running
  bool running = false;
};

struct PLUGIN_Profiler_ConsumeResult {
  xla::pjrt::Tag<'r'> tag;
  std::string bytes;
};

namespace xla::pjrt {
namespace {

PLUGIN_Profiler_Error* ProfilerError(const char* function,
                                     absl::Status status) {
  if (status.ok()) return nullptr;
  auto* error = new PLUGIN_Profiler_Error;
  error->status = AddStatus(status, function);
  return error;
}

// Like Function in error.h, with errors of the profiler's type. The structs
// never grew, and jaxlib passes sizes that are too small, so sizes are not
// checked.
template <Name kName, auto kFunction>
struct ProfilerFunction;
template <Name kName, typename Args, absl::Status (*kFunction)(Args&)>
struct ProfilerFunction<kName, kFunction> {
  static PLUGIN_Profiler_Error* Call(Args* args) {
    if (args == nullptr) {
      return ProfilerError(kName.text,
                           absl::InvalidArgumentError("args is null"));
    }
    try {
      return ProfilerError(kName.text, kFunction(*args));
    } catch (const std::bad_alloc&) {
      return ProfilerError(kName.text,
                           absl::ResourceExhaustedError("out of memory"));
    }
  }
};

void ErrorDestroy(PLUGIN_Profiler_Error_Destroy_Args* args) {
  if (args != nullptr && args->error != nullptr && args->error->tag.ok()) {
    delete args->error;
  }
}

void ErrorMessage(PLUGIN_Profiler_Error_Message_Args* args) {
  if (args == nullptr || !CheckHandle(args->error, "error").ok()) return;
  args->message = args->error->status.message().data();
  args->message_size = args->error->status.message().size();
}

absl::Status GetCode(PLUGIN_Profiler_Error_GetCode_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.error, "error"));
  args.code = static_cast<int>(args.error->status.code());
  return absl::OkStatus();
}

absl::Status Create(PLUGIN_Profiler_Create_Args& args) {
  TF_RETURN_IF_ERROR(
      StringArgument(args.options, args.options_size, "options").status());
  args.profiler = new PLUGIN_Profiler;
  return absl::OkStatus();
}

absl::Status SessionDestroy(PLUGIN_Profiler_Destroy_Args& args) {
  if (args.profiler == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  delete args.profiler;
  return absl::OkStatus();
}

absl::Status SetRunning(PLUGIN_Profiler* profiler, bool running) {
  TF_RETURN_IF_ERROR(CheckHandle(profiler, "profiler"));
  std::lock_guard<std::mutex> lock(profiler->mutex);
  if (profiler->running == running) {
    return absl::FailedPreconditionError(
        running ? "the session was started" : "the session is not running");
  }
  profiler->running = running;
  return absl::OkStatus();
}

absl::Status Start(PLUGIN_Profiler_Start_Args& args) {
  return SetRunning(args.profiler, true);
}

absl::Status Stop(PLUGIN_Profiler_Stop_Args& args) {
  return SetRunning(args.profiler, false);
}

absl::Status CollectData(PLUGIN_Profiler_CollectData_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  args.buffer_size_in_bytes = 0;
  return absl::OkStatus();
}

absl::Status Consume(PLUGIN_Profiler_Consume_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  args.result = new PLUGIN_Profiler_ConsumeResult;
  return absl::OkStatus();
}

absl::Status ResultDestroy(PLUGIN_Profiler_ConsumeResult_Destroy_Args& args) {
  if (args.consume_result == nullptr) return absl::OkStatus();
  TF_RETURN_IF_ERROR(CheckHandle(args.consume_result, "consume_result"));
  delete args.consume_result;
  return absl::OkStatus();
}

absl::Status SessionSerialize(PLUGIN_Profiler_Serialize_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  TF_RETURN_IF_ERROR(CheckHandle(args.consume_result, "consume_result"));
  const std::string& bytes = args.consume_result->bytes;
  args.serialized_bytes = reinterpret_cast<const uint8_t*>(bytes.data());
  args.serialized_size = bytes.size();
  return absl::OkStatus();
}

#define TESSERA_ENTRY(name, function) \
  ProfilerFunction<"PLUGIN_Profiler_" #name, function>::Call

PLUGIN_Profiler_Api profiler_api = {
    // jaxlib up to 0.10 requires the size of its own version of the table,
    // which ends here, and disables the profiler if the table is larger.
    .struct_size = PJRT_STRUCT_SIZE(PLUGIN_Profiler_Api, collect_data),
    .priv = nullptr,
    .error_destroy = ErrorDestroy,
    .error_message = ErrorMessage,
    .error_get_code = TESSERA_ENTRY(Error_GetCode, GetCode),
    .create = TESSERA_ENTRY(Create, Create),
    .destroy = TESSERA_ENTRY(Destroy, SessionDestroy),
    .start = TESSERA_ENTRY(Start, Start),
    .stop = TESSERA_ENTRY(Stop, Stop),
    .collect_data = TESSERA_ENTRY(CollectData, CollectData),
    .consume = TESSERA_ENTRY(Consume, Consume),
    .consume_result_destroy =
        TESSERA_ENTRY(ConsumeResult_Destroy, ResultDestroy),
    .serialize = TESSERA_ENTRY(Serialize, SessionSerialize),
};

#undef TESSERA_ENTRY

}  // namespace

PJRT_Extension_Base* ProfilerExtension(PJRT_Extension_Base* next) {
  static PJRT_Profiler_Extension extension = {
      {PJRT_Profiler_Extension_STRUCT_SIZE, PJRT_Extension_Type_Profiler,
       nullptr},
      &profiler_api,
      0};
  extension.base.next = next;
  return &extension.base;
}

}  // namespace xla::pjrt
