#include "xla/client/shaped_buffer.h"  // IWYU pragma: export
