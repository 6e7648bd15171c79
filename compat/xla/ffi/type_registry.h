#include "xla/runtime/ffi/type_registry.h"  // IWYU pragma: export
