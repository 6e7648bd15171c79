#include "xla/core/array/bitmap.h"  // IWYU pragma: export
