// Uses every public name of xla/hlo/testlib/test_helpers.h.
#include "xla/hlo/testlib/test_helpers.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(TestHelpersNamesTest, Statuses) {
  const absl::StatusOr<int> one = 1;
  const absl::Status error = absl::InternalError("broken");
  EXPECT_IS_OK(one);
  ASSERT_IS_OK(absl::OkStatus());
  EXPECT_IS_NOT_OK(error);
  ASSERT_IS_NOT_OK(absl::StatusOr<int>(error));
  EXPECT_NONFATAL_FAILURE(EXPECT_IS_OK(error), "broken");
  EXPECT_NONFATAL_FAILURE(EXPECT_IS_NOT_OK(one), "");
}

}  // namespace
}  // namespace xla
