#include "xla/core/primitive_util.h"  // IWYU pragma: export
