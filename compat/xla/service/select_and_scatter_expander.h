// SelectAndScatterExpander.
#ifndef COMPAT_XLA_SERVICE_SELECT_AND_SCATTER_EXPANDER_H_
#define COMPAT_XLA_SERVICE_SELECT_AND_SCATTER_EXPANDER_H_

#include "xla/hlo/transforms/expand/select_and_scatter_expander.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_SELECT_AND_SCATTER_EXPANDER_H_
