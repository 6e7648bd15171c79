#include "xla/hlo/testlib/verified_hlo_module.h"  // IWYU pragma: export
