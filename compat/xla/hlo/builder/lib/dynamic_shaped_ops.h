#include "xla/hlo/builder/inference/dynamic_shaped_ops.h"  // IWYU pragma: export
