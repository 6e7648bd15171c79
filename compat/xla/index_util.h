#include "xla/core/index_util.h"  // IWYU pragma: export
