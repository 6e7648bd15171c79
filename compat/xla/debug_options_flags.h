#include "xla/client/debug/debug_options_flags.h"  // IWYU pragma: export
