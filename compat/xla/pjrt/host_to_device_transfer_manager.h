#include "xla/pjrt/pjrt_client.h"  // IWYU pragma: export
