// tsl::Status and the checks that go with it.
#ifndef COMPAT_XLA_TSL_PLATFORM_STATUS_H_
#define COMPAT_XLA_TSL_PLATFORM_STATUS_H_

#include "absl/status/status.h"
#include "xla/tsl/platform/logging.h"  // IWYU pragma: export
#include "xla/tsl/platform/macros.h"   // IWYU pragma: export
#include "xla/tsl/platform/types.h"    // IWYU pragma: export

namespace tsl {
using absl::OkStatus;  // NOLINT(misc-unused-using-decls)
using Status = absl::Status;
}  // namespace tsl

#ifndef TF_CHECK_OK
#define TF_CHECK_OK(status) CHECK_OK(status)
#define TF_QCHECK_OK(status) QCHECK_OK(status)
#define TF_DCHECK_OK(status) DCHECK_OK(status)
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_STATUS_H_
