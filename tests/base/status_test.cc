// Status macros, error makers and CHECKs.
#include "absl/status/status.h"

#include <string>
#include <utility>

#include "absl/base/log_severity.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

absl::StatusOr<std::pair<int, int>> PairOr(bool ok) {
  if (!ok) return NotFound("no %s %d", "pair", 7);
  return std::pair(1, 2);
}

absl::StatusOr<int> Sum(bool ok) {
  TF_ASSIGN_OR_RETURN((auto [a, b]), PairOr(true));
  std::pair<int, int> p;
  TF_ASSIGN_OR_RETURN(p, PairOr(ok));
  return a + b + p.first + p.second;
}

absl::Status Wrap(const absl::Status& status) {
  RETURN_IF_ERROR(status) << "while " << 5;
  return absl::OkStatus();
}

absl::StatusOr<int> Positive(int x) {
  TF_RET_CHECK(x > 0) << "x is " << x;
  return x;
}

TEST(StatusTest, AssignOrReturn) {
  EXPECT_EQ(*Sum(true), 6);
  EXPECT_EQ(Sum(false).status(), absl::NotFoundError("no pair 7"));
}

TEST(StatusTest, ReturnIfError) {
  auto twice = [](const absl::Status& status) {
    TF_RETURN_IF_ERROR(status);
    return absl::OkStatus();
  };
  EXPECT_TRUE(twice(absl::OkStatus()).ok());
  EXPECT_EQ(twice(InvalidArgument("%s", "a")).message(), "a");
  EXPECT_TRUE(Wrap(absl::OkStatus()).ok());
  absl::Status status = Internal("a");
  status.SetPayload("url", absl::Cord("payload"));
  const absl::Status wrapped = Wrap(status);
  EXPECT_EQ(wrapped.message(), "a; while 5");
  EXPECT_EQ(*wrapped.GetPayload("url"), "payload");
}

TEST(StatusTest, RetCheckIsInternal) {
  EXPECT_EQ(*Positive(2), 2);
  const absl::Status status = Positive(-2).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_TRUE(absl::StrContains(status.message(), "x > 0 x is -2"));
}

// Printed by its AbslStringify, which the oldest supported Abseil lacks.
struct Temperature {
  int degrees;
  template <typename Sink>
  friend void AbslStringify(Sink& sink, const Temperature& temperature) {
    absl::Format(&sink, "%d deg", temperature.degrees);
    sink.Append(2, '!');
  }
};

absl::StatusOr<int> Cold(Temperature temperature) {
  TF_RET_CHECK(temperature.degrees < 5) << "at " << temperature;
  return 1;
}

TEST(StatusTest, TakesWhatHasAbslStringify) {
  EXPECT_THAT(std::string(Cold(Temperature{30}).status().message()),
              testing::EndsWith(" at 30 deg!!"));
}

absl::Status FailsLoudly(absl::LogSeverity severity) {
  TF_RET_CHECK(1 > 2).with_log_severity(severity) << "one is " << 1;
  return absl::OkStatus();
}

TEST(StatusTest, RetCheckLogsIfTold) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Positive(-2).ok());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  for (const auto severity :
       {absl::LogSeverity::kInfo, absl::LogSeverity::kWarning,
        absl::LogSeverity::kError}) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(FailsLoudly(severity).code(), absl::StatusCode::kInternal);
    const std::string log = testing::internal::GetCapturedStderr();
    EXPECT_EQ(log.front(), absl::LogSeverityName(severity)[0]);
    EXPECT_TRUE(absl::StrContains(log, " status_test.cc:"));
    EXPECT_TRUE(absl::StrContains(log, "1 > 2 one is 1\n"));
  }
  EXPECT_DEATH(FailsLoudly(absl::LogSeverity::kFatal).IgnoreError(), "one is");
}

TEST(StatusTest, Context) {
  const absl::Status status = Unimplemented("op %s", "f");
  EXPECT_EQ(AddStatus(status, "g").message(), "g: op f");
  EXPECT_EQ(AppendStatus(status, "g").message(), "op f: g");
  EXPECT_EQ(AppendStatus(status, "g").code(), status.code());
  EXPECT_TRUE(WithContext(absl::OkStatus(), "g").ok());
  EXPECT_EQ(InvalidArgumentStrCat("a", 1).status.message(), "a1");
}

TEST(CheckTest, PassesQuietly) {
  int calls = 0;
  CHECK(++calls == 1) << "not evaluated " << ++calls;
  CHECK_EQ(calls, 1) << ++calls;
  CHECK_OK(absl::OkStatus());
  CHECK_OK(PairOr(true));
  if (calls == 1)
    CHECK_LT(calls, 2);
  else
    CHECK(false);
  EXPECT_EQ(calls, 1);
}

TEST(CheckDeathTest, FailuresSayWhat) {
  const int a = 1;
  EXPECT_DEATH(CHECK(a == 2) << "extra", "Check failed: a == 2 extra");
  EXPECT_DEATH(CHECK_EQ(a, 2) << "extra",
               "Check failed: a == 2 \\(1 vs. 2\\) extra");
  EXPECT_DEATH(CHECK_OK(PairOr(false)), "no pair 7");
  EXPECT_DEATH(LOG(FATAL) << "bye", "status_test.cc:[0-9]+\\] bye");
}

TEST(LogTest, WritesOneLine) {
  testing::internal::CaptureStderr();
  LOG(WARNING) << "careful " << 3;
  VLOG(99) << "silent";
  const std::string out = testing::internal::GetCapturedStderr();
  EXPECT_EQ(out[0], 'W');
  EXPECT_TRUE(absl::EndsWith(out, "] careful 3\n"));
}

}  // namespace
}  // namespace xla
