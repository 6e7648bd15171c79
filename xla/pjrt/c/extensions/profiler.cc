// The Profiler extension: sessions that record what the process's programs do,
// as a serialized XSpace.
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "xla/backends/cpu/cost/cost_model.h"
#include "xla/backends/cpu/jit/target_info.h"
#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/extensions/extensions.h"
#include "xla/pjrt/c/pjrt_c_api_profiler_extension.h"
#include "xla/profiler/xspace_trace.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/tracing/trace_session.h"

struct PLUGIN_Profiler_Error {
  xla::pjrt::Tag<'P'> tag;
  absl::Status status;
};

struct PLUGIN_Profiler {
  xla::pjrt::Tag<'p'> tag;
  std::mutex mutex;  // guards the members below
  // While the session runs; afterwards until its data is asked for.
  std::shared_ptr<xla::TraceSession> trace;
  bool running = false;
  std::string bytes;  // the data of the last recording, once it was asked for
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

absl::Status Start(PLUGIN_Profiler_Start_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  PLUGIN_Profiler& profiler = *args.profiler;
  std::lock_guard<std::mutex> lock(profiler.mutex);
  if (profiler.running) {
    return absl::FailedPreconditionError("the session was started");
  }
  TF_ASSIGN_OR_RETURN(profiler.trace, TraceSession::Start());
  profiler.bytes.clear();
  profiler.running = true;
  return absl::OkStatus();
}

absl::Status Stop(PLUGIN_Profiler_Stop_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  PLUGIN_Profiler& profiler = *args.profiler;
  std::lock_guard<std::mutex> lock(profiler.mutex);
  if (!profiler.running) {
    return absl::FailedPreconditionError("the session is not running");
  }
  profiler.trace->Stop();
  profiler.running = false;
  return absl::OkStatus();
}

// What all threads can do together by the cost model's table of the processor.
// Measuring it would take a second, in which the program's threads would be in
// the way.
RooflineLimits LimitsOfTable() {
  const cpu::CpuCostModel model(cpu::HostTarget());
  constexpr double kMuchMemory = 1e12;
  const double threads = DefaultThreadCount();
  return {.flops_per_second =
              2e9 * threads / model.ProductNanoseconds(cpu::NumberKind::kF32),
          .bytes_per_second =
              1e9 * threads / model.ReadNanoseconds(1, kMuchMemory)};
}

// Makes the bytes of what has been recorded, once. `profiler.mutex` is held.
absl::Status MakeBytes(PLUGIN_Profiler& profiler) {
  if (profiler.running) {
    return absl::FailedPreconditionError("the session is still running");
  }
  if (profiler.trace == nullptr) return absl::OkStatus();
  const RecordedTrace trace = profiler.trace->Collect();
  const DescribedTrace described(trace, LimitsOfTable());
  if (!XSpaceOf(described).SerializeToString(&profiler.bytes)) {
    return absl::ResourceExhaustedError(
        "the trace has more than the 2 GB that a message may have");
  }
  profiler.trace = nullptr;
  return absl::OkStatus();
}

absl::Status CollectData(PLUGIN_Profiler_CollectData_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  PLUGIN_Profiler& profiler = *args.profiler;
  std::lock_guard<std::mutex> lock(profiler.mutex);
  TF_RETURN_IF_ERROR(MakeBytes(profiler));
  args.buffer_size_in_bytes = profiler.bytes.size();
  if (args.buffer == nullptr) {
    // Some clients, jaxlib 0.10 among them, read the data from here, others
    // call again with memory of their own.
    args.buffer = reinterpret_cast<uint8_t*>(profiler.bytes.data());
    return absl::OkStatus();
  }
  std::memcpy(args.buffer, profiler.bytes.data(), profiler.bytes.size());
  return absl::OkStatus();
}

absl::Status Consume(PLUGIN_Profiler_Consume_Args& args) {
  TF_RETURN_IF_ERROR(CheckHandle(args.profiler, "profiler"));
  PLUGIN_Profiler& profiler = *args.profiler;
  std::lock_guard<std::mutex> lock(profiler.mutex);
  TF_RETURN_IF_ERROR(MakeBytes(profiler));
  args.result = new PLUGIN_Profiler_ConsumeResult;
  args.result->bytes = std::exchange(profiler.bytes, "");
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
