#include "xla/core/window_math.h"  // IWYU pragma: export
#include "xla/types.h"             // IWYU pragma: export
