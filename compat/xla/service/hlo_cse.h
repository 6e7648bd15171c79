#include "xla/hlo/transforms/simplify/cse.h"  // IWYU pragma: export
