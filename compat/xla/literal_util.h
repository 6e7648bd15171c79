#include "xla/core/literal/literal_util.h"  // IWYU pragma: export
