#include "xla/client/device_assignment.h"  // IWYU pragma: export
