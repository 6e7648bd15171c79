#include "xla/hlo/builder/lib/sorting.h"  // IWYU pragma: export
