#include "xla/core/shape_util.h"  // IWYU pragma: export
