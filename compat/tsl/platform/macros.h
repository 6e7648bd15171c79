#include "xla/tsl/platform/macros.h"  // IWYU pragma: export
