#include "xla/hlo/builder/lib/svd.h"  // IWYU pragma: export
