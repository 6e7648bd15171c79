#include "xla/hlo/verifier/hlo_verifier.h"  // IWYU pragma: export
