#include "xla/hlo/builder/lib/arithmetic.h"  // IWYU pragma: export
