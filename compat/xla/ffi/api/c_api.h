#include "xla/runtime/ffi/ffi_c_api.h"  // IWYU pragma: export
