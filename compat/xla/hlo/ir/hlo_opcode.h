#include "xla/hlo/ops/hlo_opcode.h"  // IWYU pragma: export
