#include "xla/proto/xla.pb.h"  // IWYU pragma: export
