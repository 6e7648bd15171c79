#include "xla/base/type_aliases.h"  // IWYU pragma: export
#include "xla/base/types.h"         // IWYU pragma: export
