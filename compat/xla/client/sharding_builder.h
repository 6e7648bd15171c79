#include "xla/hlo/builder/sharding_builder.h"  // IWYU pragma: export
