#include "xla/pjrt/extensions/pjrt_c_api_custom_partitioner_extension.h"  // IWYU pragma: export
