// tsl::error: the codes of Status, and tsl::errors: functions that make, test
// and change Status.
#ifndef COMPAT_XLA_TSL_PLATFORM_ERRORS_H_
#define COMPAT_XLA_TSL_PLATFORM_ERRORS_H_

#include <string>
#include <unordered_map>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/base/status_macros.h"   // IWYU pragma: export
#include "xla/tsl/platform/status.h"  // IWYU pragma: export

namespace tensorflow::error {

// In TensorFlow an enumeration of a proto, with the same numbers.
using Code = absl::StatusCode;
inline constexpr Code OK = Code::kOk;
inline constexpr Code CANCELLED = Code::kCancelled;
inline constexpr Code UNKNOWN = Code::kUnknown;
inline constexpr Code INVALID_ARGUMENT = Code::kInvalidArgument;
inline constexpr Code DEADLINE_EXCEEDED = Code::kDeadlineExceeded;
inline constexpr Code NOT_FOUND = Code::kNotFound;
inline constexpr Code ALREADY_EXISTS = Code::kAlreadyExists;
inline constexpr Code PERMISSION_DENIED = Code::kPermissionDenied;
inline constexpr Code RESOURCE_EXHAUSTED = Code::kResourceExhausted;
inline constexpr Code FAILED_PRECONDITION = Code::kFailedPrecondition;
inline constexpr Code ABORTED = Code::kAborted;
inline constexpr Code OUT_OF_RANGE = Code::kOutOfRange;
inline constexpr Code UNIMPLEMENTED = Code::kUnimplemented;
inline constexpr Code INTERNAL = Code::kInternal;
inline constexpr Code UNAVAILABLE = Code::kUnavailable;
inline constexpr Code DATA_LOSS = Code::kDataLoss;
inline constexpr Code UNAUTHENTICATED = Code::kUnauthenticated;

}  // namespace tensorflow::error

namespace tsl {
namespace error = ::tensorflow::error;
}  // namespace tsl

namespace tsl::errors {

// NOLINTNEXTLINE(misc-unused-using-decls)
using ::tensorflow::error::OK;

using Payloads = std::unordered_map<std::string, std::string>;
inline Payloads GetPayloads(const absl::Status& status) {
  Payloads payloads;
  status.ForEachPayload([&](absl::string_view key, const absl::Cord& value) {
    payloads[std::string(key)] = std::string(value);
  });
  return payloads;
}
inline void InsertPayloads(absl::Status& status, const Payloads& payloads) {
  for (const auto& [key, value] : payloads) {
    status.SetPayload(key, absl::Cord(value));
  }
}
inline void CopyPayloads(const absl::Status& from, absl::Status& to) {
  InsertPayloads(to, GetPayloads(from));
}
inline absl::Status Create(absl::StatusCode code, absl::string_view message,
                           const Payloads& payloads) {
  absl::Status status(code, message);
  InsertPayloads(status, payloads);
  return status;
}
inline absl::Status CreateWithUpdatedMessage(const absl::Status& status,
                                             absl::string_view message) {
  return Create(status.code(), message, GetPayloads(status));
}
// Adds a line to the message.
template <typename... Args>
void AppendToMessage(absl::Status* status, const Args&... args) {
  *status = CreateWithUpdatedMessage(
      *status, absl::StrCat(status->message(), "\n\t", args...));
}

#define COMPAT_TSL_ERROR_(name)                      \
  template <typename... Args>                        \
  absl::Status name(const Args&... args) {           \
    return absl::name##Error(absl::StrCat(args...)); \
  }                                                  \
  inline bool Is##name(const absl::Status& status) { \
    return absl::Is##name(status);                   \
  }
COMPAT_TSL_ERROR_(Aborted)
COMPAT_TSL_ERROR_(AlreadyExists)
COMPAT_TSL_ERROR_(Cancelled)
COMPAT_TSL_ERROR_(DataLoss)
COMPAT_TSL_ERROR_(DeadlineExceeded)
COMPAT_TSL_ERROR_(FailedPrecondition)
COMPAT_TSL_ERROR_(Internal)
COMPAT_TSL_ERROR_(InvalidArgument)
COMPAT_TSL_ERROR_(NotFound)
COMPAT_TSL_ERROR_(OutOfRange)
COMPAT_TSL_ERROR_(PermissionDenied)
COMPAT_TSL_ERROR_(ResourceExhausted)
COMPAT_TSL_ERROR_(Unauthenticated)
COMPAT_TSL_ERROR_(Unavailable)
COMPAT_TSL_ERROR_(Unimplemented)
COMPAT_TSL_ERROR_(Unknown)
#undef COMPAT_TSL_ERROR_

}  // namespace tsl::errors

// TF_RETURN_WITH_CONTEXT_IF_ERROR(F(), "while ", what); F returns Status.
#ifndef TF_RETURN_WITH_CONTEXT_IF_ERROR
#define TF_RETURN_WITH_CONTEXT_IF_ERROR(expression, ...)        \
  do {                                                          \
    absl::Status xla_status = (expression);                     \
    if (ABSL_PREDICT_FALSE(!xla_status.ok())) {                 \
      ::tsl::errors::AppendToMessage(&xla_status, __VA_ARGS__); \
      return xla_status;                                        \
    }                                                           \
  } while (0)
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_ERRORS_H_
