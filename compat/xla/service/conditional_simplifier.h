// ConditionalSimplifier.
#ifndef COMPAT_XLA_SERVICE_CONDITIONAL_SIMPLIFIER_H_
#define COMPAT_XLA_SERVICE_CONDITIONAL_SIMPLIFIER_H_

#include "xla/hlo/transforms/simplify/conditional_simplifier.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_CONDITIONAL_SIMPLIFIER_H_
