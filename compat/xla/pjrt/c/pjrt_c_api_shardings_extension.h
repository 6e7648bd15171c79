#include "xla/pjrt/c/extensions/pjrt_c_api_shardings_extension.h"  // IWYU pragma: export
