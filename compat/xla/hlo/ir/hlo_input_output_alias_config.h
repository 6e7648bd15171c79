#include "xla/hlo/builder/input_output_alias.h"  // IWYU pragma: export
