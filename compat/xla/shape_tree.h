#include "xla/core/shape_tree.h"  // IWYU pragma: export
#include "xla/tuple_tree.h"       // IWYU pragma: export
