// ReshapeMover.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_RESHAPE_MOVER_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_RESHAPE_MOVER_H_

#include "xla/hlo/transforms/simplify/reshape_mover.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_RESHAPE_MOVER_H_
