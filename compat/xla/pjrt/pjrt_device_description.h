#include "xla/client/pjrt/pjrt_device.h"  // IWYU pragma: export
