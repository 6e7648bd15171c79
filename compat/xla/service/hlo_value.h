#include "xla/hlo/analysis/values/hlo_value.h"  // IWYU pragma: export
