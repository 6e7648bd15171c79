#include "xla/base/type_aliases.h"  // IWYU pragma: export
