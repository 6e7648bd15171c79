// Reports of waits that take long.
#include "xla/runtime/wait_watch.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace xla {
namespace {

class WaitWatchTest : public testing::Test {
 protected:
  ~WaitWatchTest() override { SetWaitWarningAfter(before_); }
  const absl::Duration before_ = WaitWarningAfter();
};

TEST_F(WaitWatchTest, RemindsAtDoublingDistances) {
  SetWaitWarningAfter(absl::Seconds(20));
  const absl::Time begin = absl::UnixEpoch();
  WaitReminder reminder(begin);
  std::vector<int> due;
  for (int second = 0; second <= 400; ++second) {
    if (reminder.IsDue(begin + absl::Seconds(second))) due.push_back(second);
  }
  EXPECT_EQ(due, std::vector<int>({20, 40, 80, 160, 320}));
  WaitReminder steady(begin, WaitReminder::Pace::kSteady);
  due.clear();
  for (int second = 0; second <= 70; ++second) {
    if (steady.IsDue(begin + absl::Seconds(second))) due.push_back(second);
  }
  EXPECT_EQ(due, std::vector<int>({20, 40, 60}));
  WaitReminder late(begin);
  EXPECT_TRUE(late.IsDue(begin + absl::Seconds(100)));
  EXPECT_EQ(late.next(), begin + absl::Seconds(160));
}

TEST_F(WaitWatchTest, ReportsAWaitAgainAndAgain) {
  SetWaitWarningAfter(absl::Milliseconds(2));
  const auto watcher = WaitWatcher::Get();
  EXPECT_EQ(WaitWatcher::Get(), watcher);
  std::atomic<int> reports = 0;
  const auto report = [&](absl::Duration waited) {
    EXPECT_GE(waited, absl::Milliseconds(2));
    ++reports;
  };
  {
    const WaitWatch watch(watcher.get(), report);
    while (reports < 3) std::this_thread::yield();
  }
  const int ended = reports;
  absl::SleepFor(absl::Milliseconds(30));
  EXPECT_EQ(reports, ended);
}

TEST_F(WaitWatchTest, ShortWaitsAreNotReported) {
  SetWaitWarningAfter(absl::Minutes(10));
  const auto watcher = WaitWatcher::Get();
  const auto report = [](absl::Duration) { ADD_FAILURE(); };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        const WaitWatch watch(watcher.get(), report);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(WaitWatchTest, AForkedChildEnds) {
  auto watcher = WaitWatcher::Get();
  const auto report = [](absl::Duration) {};
  {
    const WaitWatch watch(watcher.get(), report);
  }
  absl::SleepFor(absl::Milliseconds(50));  // until the thread waits
  const pid_t child = fork();
  if (child == 0) {
    watcher.reset();
    _exit(0);
  }
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(WaitWatchTest, ZeroMeansNever) {
  SetWaitWarningAfter(absl::ZeroDuration());
  EXPECT_EQ(WaitWarningAfter(), absl::InfiniteDuration());
  const auto watcher = WaitWatcher::Get();
  const auto report = [](absl::Duration) { ADD_FAILURE(); };
  const WaitWatch watch(watcher.get(), report);
  absl::SleepFor(absl::Milliseconds(10));
}

}  // namespace
}  // namespace xla
