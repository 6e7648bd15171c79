#include "xla/core/shape_util.h"                      // IWYU pragma: export
#include "xla/hlo/analysis/cost/hlo_cost_analysis.h"  // IWYU pragma: export
