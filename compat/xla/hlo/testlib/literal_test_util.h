#include "xla/tests/literal_test_util.h"  // IWYU pragma: export
