#include "xla/tsl/platform/bfloat16.h"  // IWYU pragma: export
