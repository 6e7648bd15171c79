#include "xla/core/shape_util.h"  // IWYU pragma: export
#include "xla/layout_util.h"      // IWYU pragma: export
