#include "xla/hlo/ir/computation_layout.h"  // IWYU pragma: export
