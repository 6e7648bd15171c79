#include "xla/client/device_memory.h"  // IWYU pragma: export
