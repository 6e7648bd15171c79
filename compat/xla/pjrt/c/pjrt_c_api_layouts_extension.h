#include "xla/pjrt/extensions/pjrt_c_api_layouts_extension.h"  // IWYU pragma: export
