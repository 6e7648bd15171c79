#include "xla/hlo/ir/debug/hlo_module_metadata.h"  // IWYU pragma: export
