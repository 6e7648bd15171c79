#include "xla/client/backend.h"  // IWYU pragma: export
