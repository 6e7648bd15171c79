#include "xla/tsl/platform/ml_dtypes.h"  // IWYU pragma: export
