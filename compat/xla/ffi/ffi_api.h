#include "xla/runtime/ffi/ffi_api.h"  // IWYU pragma: export
