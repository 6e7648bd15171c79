#include "xla/core/shape/shape_layout.h"  // IWYU pragma: export
