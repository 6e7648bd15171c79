#include "xla/tsl/platform/errors.h"  // IWYU pragma: export
