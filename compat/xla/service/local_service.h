#include "xla/client/service.h"  // IWYU pragma: export
