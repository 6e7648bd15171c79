#include "xla/core/array/array2d.h"  // IWYU pragma: export
