#include "xla/test.h"  // IWYU pragma: export
