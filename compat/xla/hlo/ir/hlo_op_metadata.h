#include "xla/hlo/ir/debug/hlo_op_metadata.h"  // IWYU pragma: export
