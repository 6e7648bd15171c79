#include "xla/client/executable_run_options.h"  // IWYU pragma: export
