#include "xla/client/pjrt/pjrt_client.h"  // IWYU pragma: export
