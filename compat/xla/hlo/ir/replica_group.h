#include "xla/hlo/sharding/replica_group.h"  // IWYU pragma: export
