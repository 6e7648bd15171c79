#include "xla/hlo/analysis/values/hlo_operand_index.h"  // IWYU pragma: export
