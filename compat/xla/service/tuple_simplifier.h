// TupleSimplifier.
#ifndef COMPAT_XLA_SERVICE_TUPLE_SIMPLIFIER_H_
#define COMPAT_XLA_SERVICE_TUPLE_SIMPLIFIER_H_

#include "xla/hlo/transforms/simplify/tuple_simplifier.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_TUPLE_SIMPLIFIER_H_
