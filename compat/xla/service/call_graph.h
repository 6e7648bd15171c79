#include "xla/hlo/analysis/values/call_graph.h"  // IWYU pragma: export
