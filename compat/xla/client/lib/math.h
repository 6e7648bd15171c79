#include "xla/hlo/builder/lib/math.h"  // IWYU pragma: export
