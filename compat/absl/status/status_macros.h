// Abseil's own header if it has one, else our macros of the same names.
#if __has_include_next("absl/status/status_macros.h")
#include_next "absl/status/status_macros.h"
#else
#include "xla/base/status_macros.h"  // IWYU pragma: export
#endif
