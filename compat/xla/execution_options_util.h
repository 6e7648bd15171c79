#include "xla/client/executable_build_options.h"  // IWYU pragma: export
