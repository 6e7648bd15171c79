#include "xla/core/shape.h"                // IWYU pragma: export
#include "xla/core/shape/program_shape.h"  // IWYU pragma: export
#include "xla/layout.h"                    // IWYU pragma: export
#include "xla/primitive_util.h"            // IWYU pragma: export
