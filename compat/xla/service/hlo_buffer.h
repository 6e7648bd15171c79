#include "xla/hlo/analysis/values/hlo_buffer.h"  // IWYU pragma: export
