#include "xla/base/status_macros.h"  // IWYU pragma: export
