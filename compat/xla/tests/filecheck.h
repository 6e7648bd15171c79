#include "xla/hlo/testlib/filecheck.h"  // IWYU pragma: export
