#include "xla/core/literal/literal.h"  // IWYU pragma: export
