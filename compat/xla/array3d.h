#include "xla/core/array/array3d.h"  // IWYU pragma: export
