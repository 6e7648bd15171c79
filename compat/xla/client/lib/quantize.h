#include "xla/hlo/builder/lib/quantize.h"  // IWYU pragma: export
