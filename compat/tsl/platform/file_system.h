#include "xla/tsl/platform/file_system.h"  // IWYU pragma: export
