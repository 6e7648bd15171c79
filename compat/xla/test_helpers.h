// Expectations of Status and StatusOr, under the names of XLA's older tests.
#ifndef COMPAT_XLA_TEST_HELPERS_H_
#define COMPAT_XLA_TEST_HELPERS_H_

#include "xla/tsl/lib/core/status_test_util.h"  // IWYU pragma: export

#ifndef EXPECT_IS_OK
#define EXPECT_IS_OK(expression) EXPECT_THAT(expression, ::absl_testing::IsOk())
#define ASSERT_IS_OK(expression) ASSERT_THAT(expression, ::absl_testing::IsOk())
#define EXPECT_IS_NOT_OK(expression) \
  EXPECT_THAT(expression, ::testing::Not(::absl_testing::IsOk()))
#define ASSERT_IS_NOT_OK(expression) \
  ASSERT_THAT(expression, ::testing::Not(::absl_testing::IsOk()))
#endif

#endif  // COMPAT_XLA_TEST_HELPERS_H_
