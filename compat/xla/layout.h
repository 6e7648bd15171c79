#include "xla/core/layout.h"  // IWYU pragma: export
