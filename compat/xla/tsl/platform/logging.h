#include "xla/base/logging.h"  // IWYU pragma: export
