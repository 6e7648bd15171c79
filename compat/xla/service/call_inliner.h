// CallInliner.
#ifndef COMPAT_XLA_SERVICE_CALL_INLINER_H_
#define COMPAT_XLA_SERVICE_CALL_INLINER_H_

#include "xla/hlo/transforms/simplify/call_inliner.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_SERVICE_CALL_INLINER_H_
