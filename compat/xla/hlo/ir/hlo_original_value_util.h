#include "xla/hlo/ir/debug/hlo_original_value_util.h"  // IWYU pragma: export
