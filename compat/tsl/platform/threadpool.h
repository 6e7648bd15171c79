#include "xla/tsl/platform/threadpool.h"  // IWYU pragma: export
