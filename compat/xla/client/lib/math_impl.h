#include "xla/hlo/builder/lib/math_impl.h"  // IWYU pragma: export
