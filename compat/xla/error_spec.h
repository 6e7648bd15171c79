#include "xla/core/literal/comparison/error_spec.h"  // IWYU pragma: export
