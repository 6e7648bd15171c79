#include "xla/hlo/parser/hlo_parser.h"  // IWYU pragma: export
