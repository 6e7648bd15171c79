#include "xla/hlo/transforms/simplifiers/hlo_memory_scheduler.h"  // IWYU pragma: export
