#include "xla/core/layout_util.h"  // IWYU pragma: export
