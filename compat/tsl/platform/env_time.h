#include "xla/tsl/platform/env_time.h"  // IWYU pragma: export
