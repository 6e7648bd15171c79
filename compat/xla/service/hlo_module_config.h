#include "xla/hlo/ir/hlo_module_config.h"  // IWYU pragma: export
