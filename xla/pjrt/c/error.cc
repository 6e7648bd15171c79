// Errors of the C API: a Status with the function table that the header
// requires.
#include "xla/pjrt/c/error.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "xla/base/errors.h"
#include "xla/pjrt/c/arguments.h"

namespace xla::pjrt {
namespace {

struct ErrorHandle : PJRT_Error {
  absl::Status status;
};

const absl::Status& Status(const PJRT_Error* error) {
  return static_cast<const ErrorHandle*>(error)->status;
}

void Destroy(PJRT_Error* error) { delete static_cast<ErrorHandle*>(error); }

void Message(const PJRT_Error* error, const char** message,
             size_t* message_size) {
  *message = Status(error).message().data();
  *message_size = Status(error).message().size();
}

PJRT_Error_Code GetCode(const PJRT_Error* error) {
  return static_cast<PJRT_Error_Code>(Status(error).code());
}

void ForEachPayload(const PJRT_Error* error, PJRT_Error_PayloadVisitor visitor,
                    void* user_arg) {
  Status(error).ForEachPayload(
      [&](absl::string_view key, const absl::Cord& value) {
        const std::string bytes(value);
        visitor(key.data(), key.size(), bytes.data(), bytes.size(), user_arg);
      });
}

constexpr PJRT_Error_FunctionTable kTable = {
    .struct_size = PJRT_Error_FunctionTable_STRUCT_SIZE,
    .instance_size = PJRT_Error_STRUCT_SIZE,
    .extension_start = nullptr,
    .destroy = Destroy,
    .message = Message,
    .get_code = GetCode,
    .for_each_payload = ForEachPayload,
};

// Removes our own payloads, which lower layers attach for each other;
// frameworks print payloads.
void EraseOwnPayloads(absl::Status* status) {
  std::vector<std::string> keys;
  status->ForEachPayload([&](absl::string_view key, const absl::Cord&) {
    if (absl::StartsWith(key, "tessera/")) keys.emplace_back(key);
  });
  for (const std::string& key : keys) status->ErasePayload(key);
}

bool IsOurs(const PJRT_Error* error) {
  return error != nullptr && error->vtable == &kTable;
}

}  // namespace

PJRT_Error* MakeError(absl::Status status) {
  if (status.ok()) return nullptr;
  EraseOwnPayloads(&status);
  auto error = std::make_unique<ErrorHandle>();
  error->vtable = &kTable;
  error->status = std::move(status);
  return error.release();
}

absl::Status StatusOf(const PJRT_Error* error) {
  if (error == nullptr) return absl::OkStatus();
  if (IsOurs(error)) return Status(error);
  if (error->vtable == nullptr) {
    return absl::UnknownError("an error without a function table");
  }
  const char* message = nullptr;
  size_t size = 0;
  error->vtable->message(error, &message, &size);
  return absl::Status(
      static_cast<absl::StatusCode>(error->vtable->get_code(error)),
      absl::string_view(message, size));
}

PJRT_Error* CallbackError(PJRT_Error_Code code, const char* message,
                          size_t message_size) {
  absl::StatusOr<ReportedError> error =
      ErrorArgument(code, message, message_size);
  return MakeError(error.ok() ? error->status : error.status());
}

PJRT_Error* BadStruct(const char* function, const size_t* struct_size,
                      size_t expected) {
  if (struct_size == nullptr) {
    return MakeError(InvalidArgumentStrCat(function, ": args is null"));
  }
  return MakeError(InvalidArgumentStrCat(
      function, ": args.struct_size is ", *struct_size,
      ", which must be at least ", expected,
      ": the caller uses too old a version of the API or did not set it"));
}

PJRT_Error* Fail(const char* function, absl::Status status) {
  if (status.ErasePayload(kArgumentPayload)) {
    status = AddStatus(status, function);
  }
  return MakeError(std::move(status));
}

void ErrorDestroy(PJRT_Error_Destroy_Args* args) {
  if (args == nullptr ||
      args->struct_size < PJRT_Error_Destroy_Args_STRUCT_SIZE)
    return;
  if (IsOurs(args->error)) Destroy(args->error);
}

void ErrorMessage(PJRT_Error_Message_Args* args) {
  if (args == nullptr ||
      args->struct_size < PJRT_Error_Message_Args_STRUCT_SIZE)
    return;
  if (IsOurs(args->error)) {
    Message(args->error, &args->message, &args->message_size);
  } else {
    constexpr absl::string_view kText = "not an error of this plugin";
    args->message = kText.data();
    args->message_size = kText.size();
  }
}

absl::Status ErrorGetCode(PJRT_Error_GetCode_Args& args) {
  if (args.error == nullptr) return NullError("error");
  if (!IsOurs(args.error)) return HandleError("error");
  args.code = GetCode(args.error);
  return absl::OkStatus();
}

absl::Status ErrorForEachPayload(PJRT_Error_ForEachPayload_Args& args) {
  if (args.error == nullptr) return NullError("error");
  if (!IsOurs(args.error)) return HandleError("error");
  if (args.visitor == nullptr) return NullError("visitor");
  ForEachPayload(args.error, args.visitor, args.user_arg);
  return absl::OkStatus();
}

}  // namespace xla::pjrt
