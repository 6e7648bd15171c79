#include "xla/core/layout.h"    // IWYU pragma: export
#include "xla/printer.h"        // IWYU pragma: export
#include "xla/status_macros.h"  // IWYU pragma: export
#include "xla/util.h"           // IWYU pragma: export
