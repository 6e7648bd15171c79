#include "xla/core/comparison.h"  // IWYU pragma: export
