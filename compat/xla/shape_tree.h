#include "xla/core/shape_tree.h"  // IWYU pragma: export
