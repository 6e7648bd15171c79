#include "xla/hlo/sharding/mesh_and_axis.h"  // IWYU pragma: export
