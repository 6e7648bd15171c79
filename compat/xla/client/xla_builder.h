#include "xla/hlo/builder/xla_builder.h"  // IWYU pragma: export
#include "xla/util.h"                     // IWYU pragma: export
