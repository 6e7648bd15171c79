#include "xla/client/execution_input.h"  // IWYU pragma: export
