// Uses every public name of xla/tsl/lib/core/status_test_util.h.
#include "xla/tsl/lib/core/status_test_util.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(StatusTestUtilNamesTest, ExpectAndAssert) {
  TF_EXPECT_OK(absl::OkStatus());
  const absl::StatusOr<int> one = 1;
  TF_ASSERT_OK(one.status());
  TF_EXPECT_OK(one);
  EXPECT_NONFATAL_FAILURE(TF_EXPECT_OK(absl::InternalError("broken")),
                          "broken");
  EXPECT_FATAL_FAILURE(TF_ASSERT_OK(absl::InternalError("broken")), "broken");
  // The header brings the matchers along.
  EXPECT_THAT(one, tsl::testing::IsOkAndHolds(1));
}

}  // namespace
}  // namespace xla
