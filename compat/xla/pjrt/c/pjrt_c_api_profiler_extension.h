#include "xla/pjrt/extensions/pjrt_c_api_profiler_extension.h"  // IWYU pragma: export
