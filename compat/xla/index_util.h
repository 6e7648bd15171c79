#include "xla/core/index_util.h"  // IWYU pragma: export
#include "xla/shape_util.h"       // IWYU pragma: export
