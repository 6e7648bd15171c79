#include "xla/pjrt/pjrt_device.h"  // IWYU pragma: export
