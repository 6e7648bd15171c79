#include "xla/status.h"                 // IWYU pragma: export
#include "xla/tsl/platform/statusor.h"  // IWYU pragma: export
