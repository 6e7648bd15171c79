#include "xla/hlo/builder/inference/value_inference.h"  // IWYU pragma: export
