#include "xla/client/platform.h"  // IWYU pragma: export
