#include "xla/pjrt/pjrt_c_api.h"  // IWYU pragma: export
