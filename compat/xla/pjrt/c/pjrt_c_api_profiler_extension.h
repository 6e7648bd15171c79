#include "xla/pjrt/c/extensions/pjrt_c_api_profiler_extension.h"  // IWYU pragma: export
