#include "xla/hlo/builder/lib/self_adjoint_eig.h"  // IWYU pragma: export
