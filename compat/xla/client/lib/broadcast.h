#include "xla/hlo/builder/lib/broadcast.h"  // IWYU pragma: export
