#include "xla/core/layout_util.h"  // IWYU pragma: export
#include "xla/shape.h"             // IWYU pragma: export
