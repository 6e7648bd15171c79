#include "xla/tsl/lib/core/status_test_util.h"  // IWYU pragma: export
