#include "xla/tsl/platform/env.h"  // IWYU pragma: export
