#include "xla/core/array/array.h"  // IWYU pragma: export
