#include "xla/hlo/ir/module/call_graph.h"  // IWYU pragma: export
