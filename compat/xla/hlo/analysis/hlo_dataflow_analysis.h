#include "xla/hlo/analysis/values/hlo_dataflow_analysis.h"  // IWYU pragma: export
