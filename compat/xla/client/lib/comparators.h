#include "xla/hlo/builder/lib/comparators.h"  // IWYU pragma: export
