#include "xla/proto/compile_options.pb.h"  // IWYU pragma: export
