// Abseil's own header if it has one; else there is nothing to initialize.
#ifndef COMPAT_ABSL_LOG_INITIALIZE_H_
#define COMPAT_ABSL_LOG_INITIALIZE_H_

#if __has_include_next("absl/log/initialize.h")
#include_next "absl/log/initialize.h"
#else
namespace absl {
inline void InitializeLog() {}
}  // namespace absl
#endif

#endif  // COMPAT_ABSL_LOG_INITIALIZE_H_
