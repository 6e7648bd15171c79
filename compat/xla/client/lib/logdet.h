#include "xla/hlo/builder/lib/logdet.h"  // IWYU pragma: export
