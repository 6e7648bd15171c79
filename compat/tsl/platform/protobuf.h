#include "xla/tsl/platform/protobuf.h"  // IWYU pragma: export
