#include "xla/hlo/analysis/hlo_cost_analysis.h"  // IWYU pragma: export
