// Makes Status errors from printf-style formats, and adds context to them.
#ifndef XLA_BASE_ERRORS_H_
#define XLA_BASE_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace xla {

template <typename... Args>
absl::Status InvalidArgument(const absl::FormatSpec<Args...>& format,
                             const Args&... args) {
  return absl::InvalidArgumentError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Unimplemented(const absl::FormatSpec<Args...>& format,
                           const Args&... args) {
  return absl::UnimplementedError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Internal(const absl::FormatSpec<Args...>& format,
                      const Args&... args) {
  return absl::InternalError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status InternalError(const absl::FormatSpec<Args...>& format,
                           const Args&... args) {
  return absl::InternalError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status FailedPrecondition(const absl::FormatSpec<Args...>& format,
                                const Args&... args) {
  return absl::FailedPreconditionError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status NotFound(const absl::FormatSpec<Args...>& format,
                      const Args&... args) {
  return absl::NotFoundError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status ResourceExhausted(const absl::FormatSpec<Args...>& format,
                               const Args&... args) {
  return absl::ResourceExhaustedError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status OutOfRange(const absl::FormatSpec<Args...>& format,
                        const Args&... args) {
  return absl::OutOfRangeError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Cancelled(const absl::FormatSpec<Args...>& format,
                       const Args&... args) {
  return absl::CancelledError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Unavailable(const absl::FormatSpec<Args...>& format,
                         const Args&... args) {
  return absl::UnavailableError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status DeadlineExceeded(const absl::FormatSpec<Args...>& format,
                              const Args&... args) {
  return absl::DeadlineExceededError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Aborted(const absl::FormatSpec<Args...>& format,
                     const Args&... args) {
  return absl::AbortedError(absl::StrFormat(format, args...));
}
template <typename... Args>
absl::Status Unknown(const absl::FormatSpec<Args...>& format,
                     const Args&... args) {
  return absl::UnknownError(absl::StrFormat(format, args...));
}

// InvalidArgumentStrCat(pieces...) and the others convert to a Status whose
// message is the pieces as text, one after the other.
#define XLA_DEFINE_STR_CAT_ERROR_(name)                       \
  template <typename... Args>                                 \
  struct name##StrCat {                                       \
    name##StrCat(Args&&... args)                              \
        : status(absl::name##Error(absl::StrCat(args...))) {} \
    operator absl::Status() const { return status; }          \
    absl::Status status;                                      \
  };                                                          \
  template <typename... Args>                                 \
  name##StrCat(Args&&...)->name##StrCat<Args...>;
XLA_DEFINE_STR_CAT_ERROR_(InvalidArgument)
XLA_DEFINE_STR_CAT_ERROR_(Unimplemented)
XLA_DEFINE_STR_CAT_ERROR_(Internal)
XLA_DEFINE_STR_CAT_ERROR_(ResourceExhausted)
#undef XLA_DEFINE_STR_CAT_ERROR_

// Returns `status` with another message and the same code and payloads; OK
// stays OK.
absl::Status WithMessage(const absl::Status& status, absl::string_view message);
// "context: message".
absl::Status AddStatus(const absl::Status& status, absl::string_view context);
inline absl::Status WithContext(const absl::Status& status,
                                absl::string_view context) {
  return AddStatus(status, context);
}
// "message: context".
absl::Status AppendStatus(const absl::Status& status,
                          absl::string_view context);

}  // namespace xla

#endif  // XLA_BASE_ERRORS_H_
