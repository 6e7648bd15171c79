#include "xla/hlo/analysis/values/hlo_reachability.h"  // IWYU pragma: export
