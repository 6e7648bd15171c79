// The functions that handlers call back into: errors, types, memory, futures,
// and queries about the current execution.
#include "xla/runtime/ffi/ffi_api.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/runtime/ffi/call_context.h"
#include "xla/runtime/ffi/registry.h"
#include "xla/runtime/ffi/state_abi.h"
#include "xla/runtime/ffi/type_registry.h"

namespace xla::ffi {

absl::Status TakeStatus(XLA_FFI_Error* error) {
  if (error == nullptr) return absl::OkStatus();
  absl::Status status = std::move(error->status);
  delete error;
  return status;
}

XLA_FFI_Error* CreateError(const absl::Status& status) {
  if (status.ok()) return nullptr;
  return new XLA_FFI_Error{status, std::string(status.message())};
}

namespace {

// The caller may know fewer members than this library, but not fewer than
// `needed`.
absl::Status CheckSize(absl::string_view what, const void* args, size_t actual,
                       size_t needed) {
  if (args != nullptr && actual >= needed) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("XLA FFI: ", what, " has struct_size ", actual,
                   ", but at least ", needed, " is needed"));
}

#define TESSERA_FFI_CHECK(name, args)                                     \
  if (absl::Status status =                                               \
          CheckSize(#name, args, args == nullptr ? 0 : args->struct_size, \
                    name##_STRUCT_SIZE);                                  \
      !status.ok()) {                                                     \
    return CreateError(status);                                           \
  }

XLA_FFI_Error* ErrorCreate(XLA_FFI_Error_Create_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Error_Create_Args, args);
  absl::StatusCode code = static_cast<absl::StatusCode>(args->errc);
  if (code == absl::StatusCode::kOk) code = absl::StatusCode::kUnknown;
  return CreateError(
      absl::Status(code, args->message == nullptr ? "" : args->message));
}

void ErrorGetMessage(XLA_FFI_Error_GetMessage_Args* args) {
  if (args == nullptr ||
      args->struct_size < XLA_FFI_Error_GetMessage_Args_STRUCT_SIZE) {
    return;
  }
  args->message = args->error == nullptr ? "" : args->error->message.c_str();
}

void ErrorDestroy(XLA_FFI_Error_Destroy_Args* args) {
  if (args != nullptr &&
      args->struct_size >= XLA_FFI_Error_Destroy_Args_STRUCT_SIZE) {
    delete args->error;
  }
}

absl::string_view TextOf(const XLA_FFI_ByteSpan& span) {
  return span.ptr == nullptr ? absl::string_view()
                             : absl::string_view(span.ptr, span.len);
}

XLA_FFI_Error* HandlerRegister(XLA_FFI_Handler_Register_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Handler_Register_Args, args);
  return CreateError(RegisterHandler(TextOf(args->name), TextOf(args->platform),
                                     args->bundle, args->traits));
}

XLA_FFI_Error* StreamGet(XLA_FFI_Stream_Get_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Stream_Get_Args, args);
  args->stream = nullptr;
  return CreateError(absl::UnimplementedError(
      "XLA_FFI_Stream_Get: devices of the host platform have no streams"));
}

XLA_FFI_Error* TypeRegister(XLA_FFI_Type_Register_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Type_Register_Args, args);
  if (args->type_id == nullptr) {
    return CreateError(
        absl::InvalidArgumentError("XLA_FFI_Type_Register: type_id is null"));
  }
  TypeRegistry::TypeInfo info;
  if (args->type_info != nullptr) info.deleter = args->type_info->deleter;
  absl::string_view name = TextOf(args->name);
  if (args->type_id->type_id != 0) {
    return CreateError(TypeRegistry::RegisterTypeId(
        name, TypeRegistry::TypeId(args->type_id->type_id), info));
  }
  auto id = TypeRegistry::AssignTypeId(name, info);
  if (!id.ok()) return CreateError(id.status());
  args->type_id->type_id = id->value();
  return nullptr;
}

absl::Status CheckContext(absl::string_view function,
                          const XLA_FFI_ExecutionContext* ctx) {
  if (ctx != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(function, ": the execution context is null"));
}

#define TESSERA_FFI_CHECK_CONTEXT(name, args)                               \
  TESSERA_FFI_CHECK(name##_Args, args);                                     \
  if (absl::Status status = CheckContext(#name, args->ctx); !status.ok()) { \
    return CreateError(status);                                             \
  }

XLA_FFI_Error* ExecutionContextGet(XLA_FFI_ExecutionContext_Get_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_ExecutionContext_Get, args);
  if (args->type_id == nullptr) {
    return CreateError(absl::InvalidArgumentError(
        "XLA_FFI_ExecutionContext_Get: type_id is null"));
  }
  const ExecutionContext* context = args->ctx->options->execution_context;
  if (context == nullptr) {
    return CreateError(absl::NotFoundError(
        "XLA_FFI_ExecutionContext_Get: this execution has no context"));
  }
  auto data = context->Lookup(TypeRegistry::TypeId(args->type_id->type_id));
  if (!data.ok()) return CreateError(data.status());
  args->data = *data;
  return nullptr;
}

XLA_FFI_Error* MemoryAllocate(XLA_FFI_DeviceMemory_Allocate_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_DeviceMemory_Allocate, args);
  const size_t alignment = std::max<size_t>(args->alignment, 64);
  args->data = nullptr;
  if ((alignment & (alignment - 1)) != 0) {
    return CreateError(absl::InvalidArgumentError(
        absl::StrCat("XLA_FFI_DeviceMemory_Allocate: alignment ",
                     args->alignment, " is not a power of two")));
  }
  if (args->size == 0) return nullptr;
  if (args->size > SIZE_MAX / 2 ||
      posix_memalign(&args->data, alignment, args->size) != 0) {
    args->data = nullptr;
    return CreateError(absl::ResourceExhaustedError(
        absl::StrCat("XLA_FFI_DeviceMemory_Allocate: no memory for ",
                     args->size, " bytes")));
  }
  return nullptr;
}

XLA_FFI_Error* MemoryFree(XLA_FFI_DeviceMemory_Free_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_DeviceMemory_Free, args);
  std::free(args->data);
  return nullptr;
}

XLA_FFI_Error* PoolSchedule(XLA_FFI_ThreadPool_Schedule_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_ThreadPool_Schedule, args);
  ThreadPool* pool = args->ctx->options->pool;
  if (pool == nullptr) {
    args->task(args->data);
  } else {
    pool->Schedule([task = args->task, data = args->data] { task(data); });
  }
  return nullptr;
}

XLA_FFI_Error* PoolNumThreads(XLA_FFI_ThreadPool_NumThreads_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_ThreadPool_NumThreads, args);
  if (args->num_threads == nullptr) {
    return CreateError(absl::InvalidArgumentError(
        "XLA_FFI_ThreadPool_NumThreads: num_threads is null"));
  }
  ThreadPool* pool = args->ctx->options->pool;
  *args->num_threads = pool == nullptr ? 1 : pool->num_threads();
  return nullptr;
}

XLA_FFI_Error* FutureCreate(XLA_FFI_Future_Create_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Future_Create_Args, args);
  args->future = new XLA_FFI_Future;
  return nullptr;
}

absl::Status CompleteFuture(XLA_FFI_Future* future, absl::Status status) {
  if (future != nullptr) return future->Complete(std::move(status));
  return absl::InvalidArgumentError("XLA FFI: the future is null");
}

XLA_FFI_Error* FutureSetAvailable(XLA_FFI_Future_SetAvailable_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Future_SetAvailable_Args, args);
  return CreateError(CompleteFuture(args->future, absl::OkStatus()));
}

XLA_FFI_Error* FutureSetError(XLA_FFI_Future_SetError_Args* args) {
  TESSERA_FFI_CHECK(XLA_FFI_Future_SetError_Args, args);
  if (args->error == nullptr) {
    return CreateError(
        absl::InvalidArgumentError("XLA_FFI_Future_SetError: error is null"));
  }
  return CreateError(CompleteFuture(args->future, TakeStatus(args->error)));
}

XLA_FFI_Error* RunIdGet(XLA_FFI_RunId_Get_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_RunId_Get, args);
  args->run_id = args->ctx->options->run_id;
  return nullptr;
}

XLA_FFI_Error* DeviceOrdinalGet(XLA_FFI_DeviceOrdinal_Get_Args* args) {
  TESSERA_FFI_CHECK_CONTEXT(XLA_FFI_DeviceOrdinal_Get, args);
  args->device_ordinal = args->ctx->options->device_ordinal;
  return nullptr;
}

XLA_FFI_Error* StateSet(XLA_FFI_State_Set_Args* args) {
  if (args == nullptr) TESSERA_FFI_CHECK(XLA_FFI_State_Set_Args, args);
  return CreateError(SetState(*args));
}

XLA_FFI_Error* StateGet(XLA_FFI_State_Get_Args* args) {
  if (args == nullptr) TESSERA_FFI_CHECK(XLA_FFI_State_Get_Args, args);
  return CreateError(GetState(*args));
}

#undef TESSERA_FFI_CHECK_CONTEXT
#undef TESSERA_FFI_CHECK

constexpr XLA_FFI_Api kApi = {
    .struct_size = XLA_FFI_Api_STRUCT_SIZE,
    .extension_start = nullptr,
    .api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR,
                    XLA_FFI_API_MINOR},
    .internal_api = nullptr,
    .XLA_FFI_Error_Create = ErrorCreate,
    .XLA_FFI_Error_GetMessage = ErrorGetMessage,
    .XLA_FFI_Error_Destroy = ErrorDestroy,
    .XLA_FFI_Handler_Register = HandlerRegister,
    .XLA_FFI_Stream_Get = StreamGet,
    .XLA_FFI_Type_Register = TypeRegister,
    .XLA_FFI_ExecutionContext_Get = ExecutionContextGet,
    .XLA_FFI_State_Set = StateSet,
    .XLA_FFI_State_Get = StateGet,
    .XLA_FFI_DeviceMemory_Allocate = MemoryAllocate,
    .XLA_FFI_DeviceMemory_Free = MemoryFree,
    .XLA_FFI_ThreadPool_Schedule = PoolSchedule,
    .XLA_FFI_ThreadPool_NumThreads = PoolNumThreads,
    .XLA_FFI_Future_Create = FutureCreate,
    .XLA_FFI_Future_SetAvailable = FutureSetAvailable,
    .XLA_FFI_Future_SetError = FutureSetError,
    .XLA_FFI_RunId_Get = RunIdGet,
    .XLA_FFI_DeviceOrdinal_Get = DeviceOrdinalGet,
};

}  // namespace

const XLA_FFI_Api* GetXlaFfiApi() { return &kApi; }

}  // namespace xla::ffi

const XLA_FFI_Api* XLA_FFI_GetApi() { return xla::ffi::GetXlaFfiApi(); }
