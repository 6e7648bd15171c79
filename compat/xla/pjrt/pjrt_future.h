#include "xla/client/pjrt/pjrt_future.h"  // IWYU pragma: export
