#include "xla/test_helpers.h"  // IWYU pragma: export
