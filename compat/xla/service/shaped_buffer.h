#include "xla/client/buffers/shaped_buffer.h"  // IWYU pragma: export
