#include "xla/core/window_math.h"  // IWYU pragma: export
