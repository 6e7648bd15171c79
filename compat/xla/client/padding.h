#include "xla/hlo/builder/padding.h"  // IWYU pragma: export
