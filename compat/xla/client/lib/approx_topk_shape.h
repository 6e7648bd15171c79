#include "xla/hlo/builder/lib/approx_topk_shape.h"  // IWYU pragma: export
