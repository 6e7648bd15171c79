// tsl::errors: functions that make and test Status codes.
#ifndef COMPAT_XLA_TSL_PLATFORM_ERRORS_H_
#define COMPAT_XLA_TSL_PLATFORM_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"   // IWYU pragma: export
#include "xla/tsl/platform/status.h"  // IWYU pragma: export

namespace tsl::errors {

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

#endif  // COMPAT_XLA_TSL_PLATFORM_ERRORS_H_
