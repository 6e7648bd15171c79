#include "xla/hlo/pass/hlo_pass.h"  // IWYU pragma: export
