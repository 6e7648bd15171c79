#include "xla/base/checked_math.h"      // IWYU pragma: export
#include "xla/base/errors.h"            // IWYU pragma: export
#include "xla/base/logging.h"           // IWYU pragma: export
#include "xla/base/status_macros.h"     // IWYU pragma: export
#include "xla/core/dimension_vector.h"  // IWYU pragma: export
#include "xla/core/permutation_util.h"  // IWYU pragma: export
