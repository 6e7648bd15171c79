#include "xla/tsl/platform/types.h"  // IWYU pragma: export
