// Abseil's own header if it has one, else our macros of the same names.
#if __has_include_next("absl/log/check.h")
#include_next "absl/log/check.h"
#else
#include "xla/base/logging.h"  // IWYU pragma: export
#endif
