// Checks of what a caller of the C API passes: handles, strings, arrays.
#ifndef XLA_PJRT_C_ARGUMENTS_H_
#define XLA_PJRT_C_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/pjrt/c/handles.h"

namespace xla::pjrt {

// An InvalidArgument error about an argument struct; the function's name is
// prepended to `text` when the error leaves the API.
absl::Status ArgumentError(absl::string_view text);
// The same with the text "member is null".
absl::Status NullError(absl::string_view member);
// The same with the text "member is no live handle of its kind".
absl::Status HandleError(absl::string_view member);

// True if the caller's struct has the member that ends at byte `end`, as
// PJRT_STRUCT_SIZE computes it.
template <typename Args>
bool HasMember(const Args& args, size_t end) {
  return args.struct_size >= end;
}

// Errors: InvalidArgument if the handle is null, was freed, or is not of this
// plugin.
template <typename Handle>
absl::Status CheckHandle(const Handle* handle, const char* member) {
  if (ABSL_PREDICT_FALSE(handle == nullptr)) return NullError(member);
  if (ABSL_PREDICT_FALSE(!handle->tag.ok())) return HandleError(member);
  return absl::OkStatus();
}
inline absl::Status CheckHandle(const PJRT_Memory* handle, const char* member) {
  return CheckHandle(static_cast<const MemoryHandle*>(handle), member);
}

// Errors: InvalidArgument if `data` is null and `size` is not 0.
absl::StatusOr<absl::string_view> StringArgument(const char* data, size_t size,
                                                 const char* member);
template <typename T>
absl::StatusOr<absl::Span<const T>> ArrayArgument(const T* data, size_t size,
                                                  const char* member) {
  if (data == nullptr && size != 0) return NullError(member);
  // No array has more elements than the address space has bytes: the size is
  // garbage.
  if (size > (size_t{1} << 48) / sizeof(T)) {
    return ArgumentError("the size of an array is out of range");
  }
  return absl::MakeConstSpan(data, size);
}
// Errors: InvalidArgument if the pointer is null.
template <typename T>
absl::Status CheckPointer(const T* pointer, const char* member) {
  return pointer == nullptr ? NullError(member) : absl::OkStatus();
}

// The error that a caller reports. Of its own type, since a StatusOr of a
// Status cannot tell its value from its error.
struct ReportedError {
  absl::Status status;
};
// Errors: InvalidArgument if `code`, which comes from C and may have any value,
// is not that of an error.
absl::StatusOr<ReportedError> ErrorArgument(PJRT_Error_Code code,
                                            const char* message, size_t size);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_ARGUMENTS_H_
