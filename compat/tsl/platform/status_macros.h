#include "xla/tsl/platform/status_macros.h"  // IWYU pragma: export
