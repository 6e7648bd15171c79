#include "xla/core/tuple_tree/tuple_tree.h"  // IWYU pragma: export
#include "xla/shape_util.h"                  // IWYU pragma: export
