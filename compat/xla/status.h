// XLA's names for Abseil's Status.
#ifndef COMPAT_XLA_STATUS_H_
#define COMPAT_XLA_STATUS_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace xla {
using absl::OkStatus;  // NOLINT(misc-unused-using-decls)
using Status = absl::Status;
template <typename T>
using StatusOr = absl::StatusOr<T>;
}  // namespace xla

#endif  // COMPAT_XLA_STATUS_H_
