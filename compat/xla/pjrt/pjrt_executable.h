#include "xla/client/pjrt/compile_options.h"         // IWYU pragma: export
#include "xla/client/pjrt/execute_options.h"         // IWYU pragma: export
#include "xla/client/pjrt/pjrt_executable.h"         // IWYU pragma: export
#include "xla/client/pjrt/pjrt_loaded_executable.h"  // IWYU pragma: export
