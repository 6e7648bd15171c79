#include "xla/hlo/builder/lib/tridiagonal.h"  // IWYU pragma: export
