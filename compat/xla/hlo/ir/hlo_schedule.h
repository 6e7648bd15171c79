#include "xla/hlo/ir/module/hlo_schedule.h"  // IWYU pragma: export
