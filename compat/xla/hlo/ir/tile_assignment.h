#include "xla/hlo/sharding/tile_assignment.h"  // IWYU pragma: export
