#include "xla/runtime/ffi/execution_context.h"  // IWYU pragma: export
