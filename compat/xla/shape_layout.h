#include "xla/core/shape/shape_layout.h"  // IWYU pragma: export
#include "xla/shape_util.h"               // IWYU pragma: export
