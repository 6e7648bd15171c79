// The clock of traces: it never goes back, and its translation into the time of
// day follows the monotonic clock.
#include "xla/runtime/tracing/trace_clock.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(TraceClockTest, NeverGoesBack) {
  StartTraceClock();
  int64_t last = TraceNow();
  for (int i = 0; i < 10'000; ++i) {
    const int64_t now = TraceNow();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(TraceClockTest, ReadingsAreOfTheSystemsClocks) {
  StartTraceClock();
  const TraceClockReading a = TraceClockReading::Now();
  TraceClockReading b;
  do {
    b = TraceClockReading::Now();
  } while (b.steady_ns - a.steady_ns < 1'000'000);
  // Right to a thousandth where the machine is idle; here, only the unit.
  const int64_t took = b.steady_ns - a.steady_ns;
  EXPECT_GT(b.trace_ns - a.trace_ns, took / 2);
  EXPECT_LT(b.trace_ns - a.trace_ns, took * 2);
}

// A trace clock that is 1000 ns behind at the begin and runs 10% too fast.
TEST(TraceClockTest, TranslationFollowsTheSystemsClock) {
  const TraceClockTranslation translation(
      {.trace_ns = 5'000, .steady_ns = 70, .unix_ns = 6'000},
      {.trace_ns = 16'000, .steady_ns = 10'070, .unix_ns = 16'000});
  EXPECT_EQ(translation.UnixNanos(5'000), 6'000);
  EXPECT_EQ(translation.UnixNanos(10'500), 11'000);
  EXPECT_EQ(translation.UnixNanos(16'000), 16'000);
  // Before and after.
  EXPECT_EQ(translation.UnixNanos(4'000), 5'000);
  EXPECT_EQ(translation.UnixNanos(17'000), 17'000);
}

// Whoever sets the system's clock while a session records moves nothing.
TEST(TraceClockTest, TranslationIgnoresStepsOfTheSystemsClock) {
  const TraceClockTranslation translation(
      {.trace_ns = 0, .steady_ns = 0, .unix_ns = 1'000'000},
      {.trace_ns = 1'000, .steady_ns = 1'000, .unix_ns = 0});
  EXPECT_EQ(translation.UnixNanos(500), 1'000'500);
  EXPECT_EQ(translation.UnixNanos(1'000), 1'001'000);
}

TEST(TraceClockTest, SessionsOfNoLengthAreTranslated) {
  const TraceClockReading now = {
      .trace_ns = 10, .steady_ns = 20, .unix_ns = 30};
  EXPECT_EQ(TraceClockTranslation(now, now).UnixNanos(10), 30);
}

}  // namespace
}  // namespace xla
