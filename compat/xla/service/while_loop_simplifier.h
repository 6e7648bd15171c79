// WhileLoopSimplifier.
#ifndef COMPAT_XLA_SERVICE_WHILE_LOOP_SIMPLIFIER_H_
#define COMPAT_XLA_SERVICE_WHILE_LOOP_SIMPLIFIER_H_

#include "xla/hlo/transforms/loops/while_simplifier.h"  // IWYU pragma: export

namespace xla {

using WhileLoopSimplifier = WhileSimplifier;

}  // namespace xla

#endif  // COMPAT_XLA_SERVICE_WHILE_LOOP_SIMPLIFIER_H_
