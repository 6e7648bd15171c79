#include "xla/hlo/builder/lib/prng.h"  // IWYU pragma: export
