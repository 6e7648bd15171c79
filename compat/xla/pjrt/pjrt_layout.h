#include "xla/client/pjrt/pjrt_layout.h"  // IWYU pragma: export
