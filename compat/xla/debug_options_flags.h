#include "xla/client/debug_options_flags.h"  // IWYU pragma: export
