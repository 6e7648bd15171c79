#include "xla/hlo/sharding/device_assignment.h"  // IWYU pragma: export
