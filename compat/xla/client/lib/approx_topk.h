#include "xla/hlo/builder/lib/approx_topk.h"  // IWYU pragma: export
