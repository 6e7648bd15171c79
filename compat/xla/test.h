#include "xla/tsl/platform/test.h"  // IWYU pragma: export
