#include "xla/pjrt/c/extensions/pjrt_c_api_ffi_extension.h"  // IWYU pragma: export
