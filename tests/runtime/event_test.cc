// Event: readiness, callbacks, waiting.
#include "xla/runtime/event.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

TEST(EventTest, DefaultIsReadyAndOk) {
  const Event event;
  EXPECT_TRUE(event.IsReady());
  EXPECT_FALSE(event.IsFailed());
  EXPECT_TRUE(event.Await().ok());
  int calls = 0;
  event.OnReady([&](const absl::Status& status) { calls += status.ok(); });
  EXPECT_EQ(calls, 1);
  EXPECT_FALSE(event.Set());
}

TEST(EventTest, FailedIsReady) {
  const Event event = Event::Failed(absl::InternalError("why"));
  EXPECT_TRUE(event.IsFailed());
  EXPECT_EQ(event.Await().message(), "why");
  EXPECT_EQ(Event::Failed(absl::OkStatus()), Event());
}

TEST(EventTest, SetOnceCallsBack) {
  const Event event = Event::Pending();
  EXPECT_FALSE(event.IsReady());
  std::vector<std::string> seen;
  const Event copy = event;
  copy.OnReady([&](const absl::Status& status) {
    seen.push_back(std::string(status.message()));
  });
  EXPECT_TRUE(event.Set(absl::InternalError("first")));
  EXPECT_FALSE(event.Set());
  EXPECT_THAT(seen, testing::ElementsAre("first"));
  EXPECT_EQ(copy.GetStatus().message(), "first");
}

TEST(EventTest, AwaitFromManyThreads) {
  const Event event = Event::Pending();
  std::atomic<int> woken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] { woken += event.Await().ok(); });
  }
  event.Set();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(woken, 8);
}

TEST(EventTest, AfterAllWaitsForAllAndTakesTheFirstError) {
  const std::vector<Event> events = {Event(), Event::Pending(),
                                     Event::Pending()};
  const Event all = Event::AfterAll(events);
  events[2].Set(absl::InternalError("third"));
  EXPECT_FALSE(all.IsReady());
  events[1].Set(absl::InternalError("second"));
  EXPECT_EQ(all.GetStatus().message(), "second");
  EXPECT_TRUE(Event::AfterAll({}).IsReady());
  EXPECT_EQ(Event::AfterAll(events).GetStatus().message(), "second");
}

TEST(EventTest, EndsByItselfWhereAllDo) {
  EXPECT_TRUE(Event().EndsByItself());
  const Event work = Event::Pending(), other = Event::Pending();
  EXPECT_FALSE(work.EndsByItself());
  work.SetEndsByItself();
  EXPECT_TRUE(work.EndsByItself());
  EXPECT_FALSE(Event::AfterAll({work, other}).EndsByItself());
  other.SetEndsByItself();
  const Event both = Event::AfterAll({work, other});
  EXPECT_TRUE(both.EndsByItself());
  EXPECT_FALSE(both.IsReady());
  work.Set();
  other.Set();
  const Event never = Event::Pending();
  never.Set();
  EXPECT_TRUE(never.EndsByItself());
}

}  // namespace
}  // namespace xla
