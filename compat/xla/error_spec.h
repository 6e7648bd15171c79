#include "xla/core/literal/error_spec.h"  // IWYU pragma: export
