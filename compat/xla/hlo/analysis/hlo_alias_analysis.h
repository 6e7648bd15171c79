#include "xla/hlo/analysis/values/hlo_alias_analysis.h"  // IWYU pragma: export
