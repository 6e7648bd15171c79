// What XLA's util.h has: helpers that programs written against XLA use.
#ifndef COMPAT_XLA_UTIL_H_
#define COMPAT_XLA_UTIL_H_

#include <functional>

#include "xla/base/checked_math.h"      // IWYU pragma: export
#include "xla/base/errors.h"            // IWYU pragma: export
#include "xla/base/logging.h"           // IWYU pragma: export
#include "xla/core/dimension_vector.h"  // IWYU pragma: export
#include "xla/core/permutation_util.h"  // IWYU pragma: export
#include "xla/status.h"                 // IWYU pragma: export
#include "xla/status_macros.h"          // IWYU pragma: export
#include "xla/tsl/platform/errors.h"    // IWYU pragma: export
#include "xla/tsl/platform/protobuf.h"  // IWYU pragma: export
#include "xla/util/bits.h"              // IWYU pragma: export
#include "xla/util/containers.h"        // IWYU pragma: export
#include "xla/util/dimensions.h"        // IWYU pragma: export
#include "xla/util/logging.h"           // IWYU pragma: export
#include "xla/util/text.h"              // IWYU pragma: export

namespace xla {

class HloInstruction;
class HloModule;

using HloPredicate = std::function<bool(const HloInstruction*)>;
using HloModulePredicate = std::function<bool(const HloModule*)>;
inline bool HloPredicateTrue(const HloInstruction*) { return true; }
inline bool HloPredicateFalse(const HloInstruction*) { return false; }

}  // namespace xla

#endif  // COMPAT_XLA_UTIL_H_
