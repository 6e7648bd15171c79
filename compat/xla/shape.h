#include "xla/core/shape.h"  // IWYU pragma: export
