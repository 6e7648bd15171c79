#include "xla/hlo/builder/lib/slicing.h"  // IWYU pragma: export
