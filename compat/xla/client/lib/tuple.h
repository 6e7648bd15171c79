#include "xla/hlo/builder/lib/tuple.h"  // IWYU pragma: export
