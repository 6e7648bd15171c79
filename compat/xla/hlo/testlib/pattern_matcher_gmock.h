#include "xla/service/pattern_matcher_gmock.h"  // IWYU pragma: export
