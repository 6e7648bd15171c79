#include "xla/hlo/analysis/values/tuple_points_to_analysis.h"  // IWYU pragma: export
