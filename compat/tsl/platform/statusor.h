#include "xla/tsl/platform/statusor.h"  // IWYU pragma: export
