#include "xla/core/literal/literal.h"  // IWYU pragma: export
#include "xla/util.h"                  // IWYU pragma: export
