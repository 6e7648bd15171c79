#include "xla/hlo/builder/lib/loops.h"  // IWYU pragma: export
