// tsl::StatusOr, TF_ASSIGN_OR_RETURN, and its form for tests.
#ifndef COMPAT_XLA_TSL_PLATFORM_STATUSOR_H_
#define COMPAT_XLA_TSL_PLATFORM_STATUSOR_H_

#include <utility>

#include "absl/status/statusor.h"
#include "xla/base/status_macros.h"   // IWYU pragma: export
#include "xla/tsl/platform/errors.h"  // IWYU pragma: export
#include "xla/tsl/platform/status.h"  // IWYU pragma: export

namespace tsl {
template <typename T>
using StatusOr = absl::StatusOr<T>;
}  // namespace tsl

// The user includes GoogleTest.
#ifndef TF_ASSERT_OK_AND_ASSIGN
#define TF_ASSERT_OK_AND_ASSIGN(lhs, ...)                                 \
  XLA_ASSERT_OK_AND_ASSIGN_(XLA_CONCAT_(xla_asserted_, __COUNTER__), lhs, \
                            __VA_ARGS__)
#define XLA_ASSERT_OK_AND_ASSIGN_(name, lhs, ...)   \
  auto name = (__VA_ARGS__);                        \
  ASSERT_TRUE(name.status().ok()) << name.status(); \
  XLA_UNPAREN_(lhs) = *std::move(name)
#endif
#ifndef ASSERT_OK_AND_ASSIGN
#define ASSERT_OK_AND_ASSIGN TF_ASSERT_OK_AND_ASSIGN
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_STATUSOR_H_
