// Checks of what a caller of the C API passes.
#include "xla/pjrt/c/arguments.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/pjrt/c/error.h"

namespace xla::pjrt {

absl::Status ArgumentError(absl::string_view text) {
  absl::Status status = absl::InvalidArgumentError(text);
  status.SetPayload(kArgumentPayload, absl::Cord());
  return status;
}

absl::Status NullError(absl::string_view member) {
  return ArgumentError(absl::StrCat(member, " is null"));
}

absl::Status HandleError(absl::string_view member) {
  return ArgumentError(
      absl::StrCat(member,
                   " is not a handle of its kind that this plugin gave out and "
                   "that was not destroyed"));
}

absl::StatusOr<absl::string_view> StringArgument(const char* data, size_t size,
                                                 const char* member) {
  TF_ASSIGN_OR_RETURN(absl::Span<const char> bytes,
                      ArrayArgument(data, size, member));
  return absl::string_view(bytes.data(), bytes.size());
}

absl::StatusOr<ReportedError> ErrorArgument(PJRT_Error_Code code,
                                            const char* message, size_t size) {
  TF_ASSIGN_OR_RETURN(absl::string_view text,
                      StringArgument(message, size, "error_message"));
  if (code <= PJRT_Error_Code_OK || code > PJRT_Error_Code_UNAUTHENTICATED) {
    return ArgumentError(absl::StrCat("error code ", static_cast<int>(code),
                                      " is not that of an error"));
  }
  return ReportedError{absl::Status(static_cast<absl::StatusCode>(code), text)};
}

}  // namespace xla::pjrt
