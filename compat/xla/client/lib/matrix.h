#include "xla/hlo/builder/lib/matrix.h"  // IWYU pragma: export
