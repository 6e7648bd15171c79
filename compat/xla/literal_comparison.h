#include "xla/core/literal/literal_comparison.h"  // IWYU pragma: export
