#include "xla/hlo/ir/sharding/named_sharding.h"  // IWYU pragma: export
