#include "xla/base/text/sort_json.h"  // IWYU pragma: export
