// Checks of what a caller of the C API passes, and the wrapper of each
// function.
#ifndef XLA_CAPI_ARGUMENTS_H_
#define XLA_CAPI_ARGUMENTS_H_

#include <cstddef>
#include <new>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/capi/include/tessera/tessera.h"

namespace xla::capi {

// Marks errors about a program's text whose message may tell the place.
inline constexpr absl::string_view kTextPayload = "tessera/capi_text";

// An InvalidArgument error about an argument; Call prepends the function's
// name.
absl::Status ArgumentError(absl::string_view text);
// The same with the text "name is NULL".
absl::Status NullError(absl::string_view name);
// The same about a handle that is none of its kind.
absl::Status HandleError(absl::string_view name);

// Errors: InvalidArgument if the handle is null, was freed, or is of another
// kind.
template <typename Handle>
absl::Status CheckHandle(const Handle* handle, absl::string_view name) {
  if (handle == nullptr) return NullError(name);
  if (!handle->tag.ok()) return HandleError(name);
  return absl::OkStatus();
}
// The same for a handle that may be null.
template <typename Handle>
absl::Status CheckOptionalHandle(const Handle* handle, absl::string_view name) {
  return handle == nullptr || handle->tag.ok() ? absl::OkStatus()
                                               : HandleError(name);
}
template <typename T>
absl::Status CheckPointer(const T* pointer, absl::string_view name) {
  return pointer == nullptr ? NullError(name) : absl::OkStatus();
}
// Errors: InvalidArgument if `data` is null and `size` is not 0, or `size` is
// beyond what memory can hold.
template <typename T>
absl::StatusOr<absl::Span<const T>> ArrayArgument(const T* data, size_t size,
                                                  absl::string_view name) {
  if (data == nullptr && size != 0) return NullError(name);
  if (size > (size_t{1} << 48) / sizeof(T)) {
    return ArgumentError("the size of an array is out of range");
  }
  return absl::MakeConstSpan(data, size);
}
absl::StatusOr<absl::string_view> TextArgument(const char* data, size_t size,
                                               absl::string_view name);

// The error for which there is no memory, the same each time. The first call
// makes it, so a client's creation begins with one.
tessera_status* OutOfMemory();
// Null for OK, else a new handle. `place`: whether the message begins with the
// place in a program's text.
tessera_status* MakeStatus(absl::Status status, bool place = false);
// The same for an error of the function of that name.
tessera_status* Fail(const char* function, absl::Status status);

// Returns what `body`, a function that returns a Status, does as a
// tessera_status; lets no exception out to C callers.
template <typename Body>
tessera_status* Call(const char* function, Body body) {
  try {
    absl::Status status = body();
    if (status.ok()) return nullptr;
    return Fail(function, std::move(status));
  } catch (const std::bad_alloc&) {
    return Fail(function, absl::ResourceExhaustedError("out of memory"));
  } catch (...) {
    return Fail(function, absl::InternalError("an exception was thrown"));
  }
}

}  // namespace xla::capi

#endif  // XLA_CAPI_ARGUMENTS_H_
