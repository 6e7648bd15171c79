// The line of progress, on a clock that the test turns.
#include "xla/tools/progress/progress_display.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace xla::tools {
namespace {

constexpr char kClear[] = "\r\x1b[2K";

class ProgressDisplayTest : public testing::Test {
 protected:
  ProgressDisplay::Options Options() {
    return {.clock = [this] { return now_; },
            .write =
                [this](absl::string_view text) {
                  terminal_.append(text.data(), text.size());
                },
            .resident_bytes = [] { return int64_t{300} << 20; },
            .columns = [this] { return columns_; }};
  }
  // What was written since the last call.
  std::string Written() { return std::exchange(terminal_, ""); }

  Activity activity_;
  absl::Time now_ = absl::FromUnixSeconds(1'000'000);
  int columns_ = 80;
  std::string terminal_;
};

TEST_F(ProgressDisplayTest, AppearsAfterTwoSecondsAndGoes) {
  ProgressDisplay display(&activity_, Options());
  activity_.Begin("passes", "algsimp");
  activity_.SetInstructions(1200);
  display.Update();
  now_ += absl::Milliseconds(1999);
  display.Update();
  display.Erase();
  EXPECT_EQ(Written(), "");
  now_ += absl::Milliseconds(1);
  display.Update();
  EXPECT_EQ(
      Written(),
      absl::StrCat(kClear, "passes: algsimp, 1200 instructions, 300 MiB, 2 s"));
  now_ += absl::Seconds(3);
  activity_.Begin("code", "modules of kernels", 12);
  activity_.Advance();
  display.Update();
  EXPECT_EQ(Written(), absl::StrCat(kClear,
                                    "code: modules of kernels, 1 of 12, 1200 "
                                    "instructions, 300 MiB, 5 s"));
  display.Erase();
  EXPECT_EQ(Written(), kClear);
  display.Erase();
  EXPECT_EQ(Written(), "") << "it is gone already";
}

TEST_F(ProgressDisplayTest, GoesWithTheDisplay) {
  {
    ProgressDisplay display(&activity_, Options());
    activity_.Begin("run", "m");
    now_ += absl::Minutes(1);
    display.Update();
    Written();
  }
  EXPECT_EQ(Written(), kClear);
}

TEST_F(ProgressDisplayTest, SaysNothingBeforeThereIsAPhase) {
  ProgressDisplay display(&activity_, Options());
  now_ += absl::Minutes(1);
  display.Update();
  EXPECT_EQ(Written(), "");
}

TEST_F(ProgressDisplayTest, FitsIntoTheTerminal) {
  columns_ = 10;
  ProgressDisplay display(&activity_, Options());
  activity_.Begin("run", "a_long_name");
  now_ += absl::Seconds(2);
  display.Update();
  // The last column stays free.
  EXPECT_EQ(Written(), absl::StrCat(kClear, "run: a_lo"));
  columns_ = 0;
  display.Update();
  EXPECT_EQ(Written(), kClear);
}

TEST(ProgressTextTest, KeepsControlCharactersOfNamesAway) {
  EXPECT_EQ(ProgressText({.phase = "run", .detail = "a\x1b[31m\n\xc3\xa9"}, -1,
                         absl::Seconds(3), 80),
            "run: a?[31m???, 3 s");
}

TEST(ProgressTextTest, CountsStepsWithoutAnEnd) {
  EXPECT_EQ(ProgressText({.phase = "run", .detail = "m", .done = 42}, -1,
                         absl::Seconds(3), 80),
            "run: m, 42 steps, 3 s");
}

}  // namespace
}  // namespace xla::tools
