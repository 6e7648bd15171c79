#include "xla/pjrt/cpu/cpu_client.h"  // IWYU pragma: export
