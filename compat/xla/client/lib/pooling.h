#include "xla/hlo/builder/lib/pooling.h"  // IWYU pragma: export
