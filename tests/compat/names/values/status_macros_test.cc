// Uses every public name of xla/status_macros.h.
#include "xla/status_macros.h"

#include <string>

#include "absl/base/log_severity.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using status_macros::MakeErrorStream;
using status_macros::StatusAdaptorForMacros;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

absl::StatusOr<int> HalfOfEven(int number) {
  TF_RET_CHECK(number % 2 == 0) << "but it is " << number;
  return number / 2;
}

absl::Status AlwaysFails(int number) {
  XLA_RET_CHECK_FAIL() << "no use for " << number;
}

TEST(StatusMacrosNamesTest, RetChecks) {
  EXPECT_EQ(*HalfOfEven(6), 3);
  const absl::Status failed = HalfOfEven(7).status();
  EXPECT_EQ(failed.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(failed.message()), HasSubstr("RET_CHECK failure ("));
  EXPECT_THAT(std::string(failed.message()), HasSubstr(") number % 2 == 0"));
  EXPECT_THAT(std::string(failed.message()), HasSubstr("but it is 7"));
}

TEST(StatusMacrosNamesTest, RetCheckFail) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(AlwaysFails(3), absl::InternalError("no use for 3"));
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("] INTERNAL: no use for 3"));
  EXPECT_THAT(log, HasSubstr("\n  "));  // the functions that were called
}

TEST(StatusMacrosNamesTest, ErrorStreams) {
  const auto error = [](int kind) -> absl::StatusOr<std::string> {
    const auto code = absl::StatusCode::kNotFound;
    switch (kind) {
      case 0:
        return MakeErrorStream("file.cc", 7, code).without_logging()
               << "a" << 1;
      case 1:
        return MakeErrorStream("file.cc", 7, code)
               << "warned" << status_macros::kPossibleAutoJitAlternative;
      case 2:
        return MakeErrorStream("file.cc", 7, code)
                   .with_log_severity(absl::LogSeverity::kInfo)
                   .add_ret_check_failure("x > 0")
               << "x is " << -1;
      default:
        return MakeErrorStream("file.cc", 7, code).with_log_stack_trace() << "";
    }
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(error(0).status(), absl::NotFoundError("a1"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), IsEmpty());
  testing::internal::CaptureStderr();
  EXPECT_THAT(error(1).status().ToString(), HasSubstr("warned"));
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("file.cc:7]"));
  EXPECT_EQ(error(2).status(),
            absl::NotFoundError("RET_CHECK failure (file.cc:7) x > 0 x is -1"));
  EXPECT_THAT(std::string(error(3).status().message()), Not(IsEmpty()));
}

TEST(StatusMacrosNamesTest, ErrorStreamsThatNobodyUses) {
  testing::internal::CaptureStderr();
  {
    MakeErrorStream("file.cc", 9, absl::StatusCode::kInternal) << "lost";
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("lost"));
  EXPECT_NE(MakeErrorStream::kAppendToPriorMessage,
            MakeErrorStream::PriorMessageHandling::kPrependToPriorMessage);
}

TEST(StatusMacrosNamesTest, Adaptors) {
  const auto first_error = [](absl::Status status) -> absl::Status {
    if (StatusAdaptorForMacros adaptor{status}) {
      return absl::OkStatus();
    } else {
      return adaptor.Consume();
    }
  };
  EXPECT_TRUE(first_error(absl::OkStatus()).ok());
  EXPECT_EQ(first_error(absl::InternalError("x")), absl::InternalError("x"));
}

}  // namespace
}  // namespace xla
