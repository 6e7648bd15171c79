#include "xla/hlo/analysis/values/buffer_value.h"  // IWYU pragma: export
