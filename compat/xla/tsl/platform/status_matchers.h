// The matchers of Status in namespace tsl::testing.
#ifndef COMPAT_XLA_TSL_PLATFORM_STATUS_MATCHERS_H_
#define COMPAT_XLA_TSL_PLATFORM_STATUS_MATCHERS_H_

#include "absl/status/status_matchers.h"

namespace tsl::testing {
using ::absl_testing::IsOk;          // NOLINT(misc-unused-using-decls)
using ::absl_testing::IsOkAndHolds;  // NOLINT(misc-unused-using-decls)
using ::absl_testing::StatusIs;      // NOLINT(misc-unused-using-decls)
}  // namespace tsl::testing

#endif  // COMPAT_XLA_TSL_PLATFORM_STATUS_MATCHERS_H_
