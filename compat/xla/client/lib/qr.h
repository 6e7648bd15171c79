#include "xla/hlo/builder/lib/qr.h"  // IWYU pragma: export
