#include "xla/hlo/evaluator/custom_call.h"  // IWYU pragma: export
