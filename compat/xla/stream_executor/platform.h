#include "xla/client/buffers/platform.h"  // IWYU pragma: export
