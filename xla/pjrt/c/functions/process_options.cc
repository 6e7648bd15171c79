// Reads options, and makes a store of callbacks.
#include "xla/pjrt/c/functions/process_options.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "xla/base/errors.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/arguments.h"
#include "xla/pjrt/c/error.h"
#include "xla/pjrt/c/named_values.h"

namespace xla::pjrt {
namespace {

constexpr int64_t kMostProcesses = 1 << 16;
constexpr int64_t kMostSeconds = 7 * 24 * 3600;

// Takes an error that a callback made.
absl::Status TakeError(PJRT_Error* error) {
  if (error == nullptr) return absl::OkStatus();
  absl::Status status = StatusOf(error);
  PJRT_Error_Destroy_Args destroy = {};
  destroy.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE;
  destroy.error = error;
  ErrorDestroy(&destroy);
  return status;
}

template <typename Args>
std::string TakeValue(const Args& args) {
  std::string value(args.value == nullptr ? "" : args.value,
                    args.value == nullptr ? 0 : args.value_size);
  if (args.value_deleter_callback != nullptr && args.value != nullptr) {
    args.value_deleter_callback(args.value);
  }
  return value;
}

absl::Status SetNumber(const std::string& name, const PjRtValueType& value,
                       int64_t least, int64_t most, int* to) {
  TF_ASSIGN_OR_RETURN(const int64_t number, IntOption(name, value));
  if (number < least || number > most) {
    return InvalidArgument("option '%s' is %d: between %d and %d are possible",
                           name, number, least, most);
  }
  *to = static_cast<int>(number);
  return absl::OkStatus();
}

absl::Status SetSeconds(const std::string& name, const PjRtValueType& value,
                        absl::Duration* to) {
  int seconds = 0;
  TF_RETURN_IF_ERROR(SetNumber(name, value, 1, kMostSeconds, &seconds));
  *to = absl::Seconds(seconds);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> SetProcessOption(
    const std::string& name, const PjRtValueType& value,
    distributed::CommunicatorOptions* options) {
  if (name == "node_id") {
    TF_RETURN_IF_ERROR(
        SetNumber(name, value, 0, kMostProcesses - 1, &options->process));
  } else if (name == "num_nodes") {
    TF_RETURN_IF_ERROR(
        SetNumber(name, value, 1, kMostProcesses, &options->num_processes));
  } else if (name == "partition_index" || name == "slice_index") {
    TF_RETURN_IF_ERROR(SetNumber(name, value, 0,
                                 std::numeric_limits<int32_t>::max(),
                                 &options->partition_index));
  } else if (name == "engine") {
    TF_ASSIGN_OR_RETURN(options->engine, StringOption(name, value));
  } else if (name == "listen_address") {
    TF_ASSIGN_OR_RETURN(options->address, StringOption(name, value));
  } else if (name == "secret_file") {
    TF_ASSIGN_OR_RETURN(options->secret_file, StringOption(name, value));
  } else if (name == "connect_timeout_seconds") {
    TF_RETURN_IF_ERROR(SetSeconds(name, value, &options->connect_timeout));
  } else if (name == "collective_timeout_seconds") {
    TF_RETURN_IF_ERROR(SetSeconds(name, value, &options->timeout));
  } else {
    return false;
  }
  return true;
}

absl::StatusOr<std::shared_ptr<distributed::KeyValueStore>> StoreOf(
    const PJRT_Client_Create_Args& args) {
  if (args.kv_put_callback == nullptr || args.kv_get_callback == nullptr) {
    return InvalidArgument(
        "a client of several processes needs kv_put_callback and "
        "kv_get_callback");
  }
  distributed::StoreFunctions functions;
  functions.put = [put = args.kv_put_callback, user = args.kv_put_user_arg](
                      absl::string_view key, absl::string_view value) {
    PJRT_CallbackError make_error = CallbackError;
    PJRT_KeyValuePutCallback_Args call = {};
    call.struct_size = PJRT_KeyValuePutCallback_Args_STRUCT_SIZE;
    call.key = key.data();
    call.key_size = key.size();
    call.value = value.data();
    call.value_size = value.size();
    call.callback_error = &make_error;
    call.user_arg = user;
    return TakeError(put(&call));
  };
  functions.get = [get = args.kv_get_callback, user = args.kv_get_user_arg](
                      absl::string_view key,
                      absl::Duration timeout) -> absl::StatusOr<std::string> {
    PJRT_CallbackError make_error = CallbackError;
    PJRT_KeyValueGetCallback_Args call = {};
    call.struct_size = PJRT_KeyValueGetCallback_Args_STRUCT_SIZE;
    call.key = key.data();
    call.key_size = key.size();
    call.timeout_in_ms = static_cast<int>(
        std::clamp<int64_t>(absl::ToInt64Milliseconds(timeout), 1,
                            std::numeric_limits<int>::max()));
    call.callback_error = &make_error;
    call.user_arg = user;
    TF_RETURN_IF_ERROR(TakeError(get(&call)));
    return TakeValue(call);
  };
  if (HasMember(args, PJRT_Client_Create_Args_STRUCT_SIZE) &&
      args.kv_try_get_callback != nullptr) {
    functions.try_get =
        [try_get = args.kv_try_get_callback, user = args.kv_try_get_user_arg](
            absl::string_view key) -> absl::StatusOr<std::string> {
      PJRT_CallbackError make_error = CallbackError;
      PJRT_KeyValueTryGetCallback_Args call = {};
      call.struct_size = PJRT_KeyValueTryGetCallback_Args_STRUCT_SIZE;
      call.key = key.data();
      call.key_size = key.size();
      call.callback_error = &make_error;
      call.user_arg = user;
      TF_RETURN_IF_ERROR(TakeError(try_get(&call)));
      return TakeValue(call);
    };
  }
  return std::make_shared<distributed::FunctionStore>(std::move(functions));
}

}  // namespace xla::pjrt
