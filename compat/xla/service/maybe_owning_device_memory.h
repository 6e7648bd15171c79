#include "xla/client/buffers/device_memory.h"  // IWYU pragma: export
