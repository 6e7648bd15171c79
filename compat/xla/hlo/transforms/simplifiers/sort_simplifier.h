// SortSimplifier.
#ifndef COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_SORT_SIMPLIFIER_H_
#define COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_SORT_SIMPLIFIER_H_

#include "xla/hlo/transforms/simplify/sort_simplifier.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_HLO_TRANSFORMS_SIMPLIFIERS_SORT_SIMPLIFIER_H_
