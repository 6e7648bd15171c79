#include "xla/runtime/ffi/attributes.h"  // IWYU pragma: export
