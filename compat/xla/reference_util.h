// ReferenceUtil: plain computations on arrays, to which tests compare programs.
#ifndef COMPAT_XLA_REFERENCE_UTIL_H_
#define COMPAT_XLA_REFERENCE_UTIL_H_

#include "xla/reference_util/contractions.h"
#include "xla/reference_util/elementwise.h"
#include "xla/reference_util/movement.h"
#include "xla/reference_util/reductions.h"

namespace xla {

// All functions are static; the parts say what they require.
class ReferenceUtil : public reference::Contractions,
                      public reference::Elementwise,
                      public reference::Movement,
                      public reference::Reductions {
 public:
  ReferenceUtil() = delete;
};

}  // namespace xla

#endif  // COMPAT_XLA_REFERENCE_UTIL_H_
