#include "xla/core/array/array4d.h"  // IWYU pragma: export
