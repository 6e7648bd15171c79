#include "xla/core/permutation_util.h"  // IWYU pragma: export
