#include "xla/tsl/platform/status.h"  // IWYU pragma: export
