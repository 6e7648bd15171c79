// LOG and CHECK, and TSL's CHECK_NOTNULL.
#ifndef COMPAT_XLA_TSL_PLATFORM_LOGGING_H_
#define COMPAT_XLA_TSL_PLATFORM_LOGGING_H_

#include <utility>

#include "xla/base/logging.h"  // IWYU pragma: export

namespace tsl {
namespace internal {

template <typename T>
T&& CheckNotNull(const char* file, int line, const char* text, T&& pointer) {
  if (pointer == nullptr) {
    ::xla::log_internal::LogMessageFatal(file, line).stream() << text;
  }
  return std::forward<T>(pointer);
}

}  // namespace internal
}  // namespace tsl

// The pointer, which must not be null.
#ifndef CHECK_NOTNULL
#define CHECK_NOTNULL(pointer)                      \
  ::tsl::internal::CheckNotNull(__FILE__, __LINE__, \
                                "'" #pointer "' Must be non NULL", (pointer))
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_LOGGING_H_
