#include "xla/proto/xla_data.pb.h"  // IWYU pragma: export
