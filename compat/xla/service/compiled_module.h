#include "xla/client/compiled_module.h"  // IWYU pragma: export
