// Uses every public name of xla/tsl/platform/status_matchers.h.
#include "xla/tsl/platform/status_matchers.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(StatusMatchersNamesTest, Statuses) {
  EXPECT_THAT(absl::OkStatus(), tsl::testing::IsOk());
  const absl::Status error = absl::CancelledError("by the user");
  EXPECT_THAT(error, testing::Not(tsl::testing::IsOk()));
  EXPECT_THAT(error, tsl::testing::StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(error, tsl::testing::StatusIs(absl::StatusCode::kCancelled,
                                            testing::HasSubstr("user")));
  EXPECT_THAT(error, tsl::testing::StatusIs(testing::Ne(absl::StatusCode::kOk),
                                            "by the user"));
  EXPECT_THAT(error, testing::Not(tsl::testing::StatusIs(
                         absl::StatusCode::kCancelled, "by nobody")));
}

TEST(StatusMatchersNamesTest, StatusesWithValues) {
  const absl::StatusOr<std::string> text = "Hello, world";
  EXPECT_THAT(text, tsl::testing::IsOk());
  EXPECT_THAT(text, tsl::testing::IsOkAndHolds("Hello, world"));
  EXPECT_THAT(text, tsl::testing::IsOkAndHolds(testing::HasSubstr("world")));
  EXPECT_THAT(text, testing::Not(tsl::testing::IsOkAndHolds("Hello")));
  const absl::StatusOr<int> none = absl::NotFoundError("none");
  EXPECT_THAT(none, testing::Not(tsl::testing::IsOkAndHolds(1)));
  EXPECT_THAT(none, tsl::testing::StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace xla
