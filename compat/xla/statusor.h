#include "xla/status.h"  // IWYU pragma: export
