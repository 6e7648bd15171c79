#include "xla/hlo/analysis/values/hlo_ordering.h"  // IWYU pragma: export
