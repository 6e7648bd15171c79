#include "xla/hlo/builder/xla_computation.h"  // IWYU pragma: export
