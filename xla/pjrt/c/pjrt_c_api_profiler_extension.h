// The Profiler extension of the PJRT C API and the profiler's own function
// table: sessions that record what the plugin does, as a serialized XSpace.

#ifndef XLA_PJRT_C_PJRT_C_API_PROFILER_EXTENSION_H_
#define XLA_PJRT_C_PJRT_C_API_PROFILER_EXTENSION_H_

#include "xla/pjrt/c/pjrt_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PJRT_API_PROFILER_EXTENSION_VERSION 2

// Errors as in PJRT, but of the profiler's own type.
typedef struct PLUGIN_Profiler_Error PLUGIN_Profiler_Error;
typedef struct PLUGIN_Profiler PLUGIN_Profiler;
typedef struct PLUGIN_Profiler_ConsumeResult PLUGIN_Profiler_ConsumeResult;

struct PLUGIN_Profiler_Error_Destroy_Args {
  size_t struct_size;
  void* priv;
  PLUGIN_Profiler_Error* error;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_Destroy_Args, error);
// Frees `error`; null is fine.
typedef void PLUGIN_Profiler_Error_Destroy(
    PLUGIN_Profiler_Error_Destroy_Args* args);

struct PLUGIN_Profiler_Error_Message_Args {
  size_t struct_size;
  void* priv;
  PLUGIN_Profiler_Error* error;
  const char* message;  // out
  size_t message_size;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_Message_Args, message_size);
// The text of `error`, which owns it.
typedef void PLUGIN_Profiler_Error_Message(
    PLUGIN_Profiler_Error_Message_Args* args);

struct PLUGIN_Profiler_Error_GetCode_Args {
  size_t struct_size;
  void* priv;
  PLUGIN_Profiler_Error* error;
  int code;  // out; as PJRT_Error_Code
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Error_GetCode_Args, code);
// The code of `error`.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Error_GetCode(
    PLUGIN_Profiler_Error_GetCode_Args* args);

struct PLUGIN_Profiler_Create_Args {
  size_t struct_size;
  const char* options;  // a serialized ProfileOptions
  size_t options_size;
  PLUGIN_Profiler* profiler;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Create_Args, profiler);
// Makes a session. The caller destroys it.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Create(
    PLUGIN_Profiler_Create_Args* args);

struct PLUGIN_Profiler_Destroy_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Destroy_Args, profiler);
// Frees a session; null is fine.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Destroy(
    PLUGIN_Profiler_Destroy_Args* args);

struct PLUGIN_Profiler_Start_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Start_Args, profiler);
// Starts recording; an error if it has started already.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Start(
    PLUGIN_Profiler_Start_Args* args);

struct PLUGIN_Profiler_Stop_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Stop_Args, profiler);
// Stops recording; an error if it has not started.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Stop(
    PLUGIN_Profiler_Stop_Args* args);

struct PLUGIN_Profiler_CollectData_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
  uint8_t* buffer;              // in and out
  size_t buffer_size_in_bytes;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_CollectData_Args,
                          buffer_size_in_bytes);
// Writes the XSpace to `buffer`, and sets its size. A null `buffer` becomes the
// address of the session's own copy, which lives until the session is started
// again or destroyed.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_CollectData(
    PLUGIN_Profiler_CollectData_Args* args);

struct PLUGIN_Profiler_Consume_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
  PLUGIN_Profiler_ConsumeResult* result;  // out
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Consume_Args, result);
// Moves the recorded data out of a session. The caller destroys the result.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Consume(
    PLUGIN_Profiler_Consume_Args* args);

struct PLUGIN_Profiler_ConsumeResult_Destroy_Args {
  size_t struct_size;
  PLUGIN_Profiler_ConsumeResult* consume_result;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_ConsumeResult_Destroy_Args,
                          consume_result);
// Frees a result; null is fine.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_ConsumeResult_Destroy(
    PLUGIN_Profiler_ConsumeResult_Destroy_Args* args);

struct PLUGIN_Profiler_Serialize_Args {
  size_t struct_size;
  PLUGIN_Profiler* profiler;
  PLUGIN_Profiler_ConsumeResult* consume_result;
  const uint8_t* serialized_bytes;  // out
  size_t serialized_size;           // out
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Serialize_Args, serialized_size);
// The XSpace of a result, which owns the bytes.
typedef PLUGIN_Profiler_Error* PLUGIN_Profiler_Serialize(
    PLUGIN_Profiler_Serialize_Args* args);

struct PLUGIN_Profiler_Api {
  size_t struct_size;
  void* priv;
  PLUGIN_Profiler_Error_Destroy* error_destroy;
  PLUGIN_Profiler_Error_Message* error_message;
  PLUGIN_Profiler_Error_GetCode* error_get_code;
  PLUGIN_Profiler_Create* create;
  PLUGIN_Profiler_Destroy* destroy;
  PLUGIN_Profiler_Start* start;
  PLUGIN_Profiler_Stop* stop;
  PLUGIN_Profiler_CollectData* collect_data;
  PLUGIN_Profiler_Consume* consume;
  PLUGIN_Profiler_ConsumeResult_Destroy* consume_result_destroy;
  PLUGIN_Profiler_Serialize* serialize;
};
PJRT_DEFINE_STRUCT_TRAITS(PLUGIN_Profiler_Api, serialize);

struct PJRT_Profiler_Extension {
  PJRT_Extension_Base base;
  PLUGIN_Profiler_Api* profiler_api;
  // Set by a caller that adds this extension to the arguments of an execution:
  // the trace event to which the execution belongs.
  int64_t traceme_context_id;
};
PJRT_DEFINE_STRUCT_TRAITS(PJRT_Profiler_Extension, traceme_context_id);

#ifdef __cplusplus
}
#endif

#endif  // XLA_PJRT_C_PJRT_C_API_PROFILER_EXTENSION_H_
