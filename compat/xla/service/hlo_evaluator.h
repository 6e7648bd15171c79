#include "xla/hlo/evaluator/hlo_evaluator.h"  // IWYU pragma: export
