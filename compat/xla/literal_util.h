#include "xla/core/literal/fake_literal.h"  // IWYU pragma: export
#include "xla/core/literal/literal_util.h"  // IWYU pragma: export
#include "xla/util.h"                       // IWYU pragma: export
