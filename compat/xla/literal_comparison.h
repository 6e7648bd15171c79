#include "xla/core/literal/comparison/literal_comparison.h"  // IWYU pragma: export
