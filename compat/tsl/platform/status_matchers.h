#include "xla/tsl/platform/status_matchers.h"  // IWYU pragma: export
