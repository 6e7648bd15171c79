#include "xla/client/buffers/execution_input.h"  // IWYU pragma: export
