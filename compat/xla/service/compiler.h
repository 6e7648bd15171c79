#include "xla/backends/compiler.h"  // IWYU pragma: export
