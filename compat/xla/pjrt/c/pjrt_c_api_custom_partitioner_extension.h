#include "xla/pjrt/c/extensions/pjrt_c_api_custom_partitioner_extension.h"  // IWYU pragma: export
