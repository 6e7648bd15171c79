#include "xla/client/pjrt/pjrt_common.h"  // IWYU pragma: export
