#include "xla/tsl/platform/logging.h"  // IWYU pragma: export
