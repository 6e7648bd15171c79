// Tests that a Status is OK.
#ifndef COMPAT_XLA_TSL_LIB_CORE_STATUS_TEST_UTIL_H_
#define COMPAT_XLA_TSL_LIB_CORE_STATUS_TEST_UTIL_H_

#include "absl/status/status_matchers.h"       // IWYU pragma: export
#include "xla/tsl/platform/status_matchers.h"  // IWYU pragma: export
#include "xla/tsl/platform/statusor.h"         // IWYU pragma: export
#include "xla/tsl/platform/test.h"             // IWYU pragma: export

#ifndef TF_EXPECT_OK
#define TF_EXPECT_OK(...) EXPECT_THAT((__VA_ARGS__), ::absl_testing::IsOk())
#define TF_ASSERT_OK(...) ASSERT_THAT((__VA_ARGS__), ::absl_testing::IsOk())
#endif
#ifndef EXPECT_OK
#define EXPECT_OK TF_EXPECT_OK
#define ASSERT_OK TF_ASSERT_OK
#endif

#endif  // COMPAT_XLA_TSL_LIB_CORE_STATUS_TEST_UTIL_H_
