// WhileLoopInvariantCodeMotion.
#ifndef COMPAT_XLA_SERVICE_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
#define COMPAT_XLA_SERVICE_WHILE_LOOP_INVARIANT_CODE_MOTION_H_

#include "xla/hlo/transforms/loops/while_loop_invariant_code_motion.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_WHILE_LOOP_INVARIANT_CODE_MOTION_H_
