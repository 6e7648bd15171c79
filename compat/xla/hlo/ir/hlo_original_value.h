#include "xla/hlo/ir/debug/hlo_original_value.h"  // IWYU pragma: export
