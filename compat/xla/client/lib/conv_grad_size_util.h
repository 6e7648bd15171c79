#include "xla/hlo/builder/lib/conv_grad_size_util.h"  // IWYU pragma: export
