#include "xla/hlo/builder/lib/dynamic_shaped_ops.h"  // IWYU pragma: export
