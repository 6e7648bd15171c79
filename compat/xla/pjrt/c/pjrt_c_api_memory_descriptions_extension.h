#include "xla/pjrt/c/extensions/pjrt_c_api_memory_descriptions_extension.h"  // IWYU pragma: export
