// Checks of what a caller of the C API hands in: handles, strings, arrays.
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

// InvalidArgument about an argument struct; the function's name is put before
// `text` where it leaves the API.
absl::Status ArgumentError(absl::string_view text);
// As above, "member is null".
absl::Status NullError(absl::string_view member);
// As above, "member is no live handle of its kind".
absl::Status HandleError(absl::string_view member);

// Whether a caller's struct has the member that ends at byte `end`, which
// PJRT_STRUCT_SIZE gives.
template <typename Args>
bool HasMember(const Args& args, size_t end) {
  return args.struct_size >= end;
}

// Errors: null, freed, not of this plugin.
template <typename Handle>
absl::Status CheckHandle(const Handle* handle, const char* member) {
  if (ABSL_PREDICT_FALSE(handle == nullptr)) return NullError(member);
  if (ABSL_PREDICT_FALSE(!handle->tag.ok())) return HandleError(member);
  return absl::OkStatus();
}
inline absl::Status CheckHandle(const PJRT_Memory* handle, const char* member) {
  return CheckHandle(static_cast<const MemoryHandle*>(handle), member);
}

// Errors: null, unless there are 0 elements.
absl::StatusOr<absl::string_view> StringArgument(const char* data, size_t size,
                                                 const char* member);
template <typename T>
absl::StatusOr<absl::Span<const T>> ArrayArgument(const T* data, size_t size,
                                                  const char* member) {
  if (data == nullptr && size != 0) return NullError(member);
  // More elements than an address space has bytes: a garbage size.
  if (size > (size_t{1} << 48) / sizeof(T)) {
    return ArgumentError("the size of an array is out of range");
  }
  return absl::MakeConstSpan(data, size);
}
// Errors: null.
template <typename T>
absl::Status CheckPointer(const T* pointer, const char* member) {
  return pointer == nullptr ? NullError(member) : absl::OkStatus();
}

// The Status of a code and message that a caller reports, which must be an
// error. `code` comes from C and may be anything.
absl::StatusOr<absl::Status> ErrorArgument(PJRT_Error_Code code,
                                           const char* message, size_t size);

}  // namespace xla::pjrt

#endif  // XLA_PJRT_C_ARGUMENTS_H_
