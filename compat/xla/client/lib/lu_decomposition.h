#include "xla/hlo/builder/lib/lu_decomposition.h"  // IWYU pragma: export
