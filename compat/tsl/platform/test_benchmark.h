#include "xla/tsl/platform/test_benchmark.h"  // IWYU pragma: export
