#include "xla/pjrt/pjrt_future.h"  // IWYU pragma: export
