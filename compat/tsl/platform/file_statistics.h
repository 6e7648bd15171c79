#include "xla/tsl/platform/file_statistics.h"  // IWYU pragma: export
