#include "xla/proto/hlo.pb.h"  // IWYU pragma: export
