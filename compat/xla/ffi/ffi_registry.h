#include "xla/runtime/ffi/registry.h"  // IWYU pragma: export
