#include "xla/hlo/transforms/simplify/dce.h"  // IWYU pragma: export
