#include "xla/pjrt/c/extensions/pjrt_c_api_layouts_extension.h"  // IWYU pragma: export
