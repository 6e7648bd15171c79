#include "xla/hlo/ir/module/hlo_input_output_alias_config.h"  // IWYU pragma: export
