// Tokens of cancellation, and what work tells of itself.
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "xla/base/control/activity.h"
#include "xla/base/control/cancellation.h"

namespace xla {
namespace {

TEST(CancellationTest, CancelsTheTokensThatExist) {
  CancellationSource source;
  const CancellationToken before(source);
  const CancellationToken copy = before;
  EXPECT_FALSE(before.cancelled());
  source.Cancel();
  EXPECT_TRUE(before.cancelled());
  EXPECT_TRUE(copy.cancelled());
  const CancellationToken after(source);
  EXPECT_FALSE(after.cancelled());
  source.Cancel();
  EXPECT_TRUE(before.cancelled()) << "a second time does not undo the first";
  EXPECT_TRUE(after.cancelled());
  EXPECT_FALSE(CancellationToken().cancelled());
}

TEST(CancellationTest, ScopesNestAndBelongToTheirThread) {
  CancellationSource outer, inner;
  const CancellationToken outer_token(outer), inner_token(inner);
  const CancellationScope scope(outer_token);
  inner.Cancel();
  EXPECT_FALSE(CancellationToken::Current().cancelled());
  {
    const CancellationScope nested(inner_token);
    EXPECT_TRUE(CancellationToken::Current().cancelled());
    EXPECT_TRUE(TesseraCancellationToken()->cancelled());
  }
  EXPECT_FALSE(CancellationToken::Current().cancelled());
  outer.Cancel();
  EXPECT_TRUE(CancellationToken::Current().cancelled());
  std::thread([] {
    EXPECT_FALSE(CancellationToken::Current().cancelled());
    EXPECT_FALSE(TesseraCancellationToken()->cancelled());
  }).join();
}

TEST(CancellationTest, WithoutAScopeTheProcessIsTheSource) {
  const CancellationToken begun = CancellationToken::Current();
  CancellationSource::OfProcess().Cancel();
  EXPECT_TRUE(begun.cancelled());
  EXPECT_FALSE(CancellationToken::Current().cancelled());
  // Generated code that nobody began as a run is not cancelled.
  EXPECT_FALSE(TesseraCancellationToken()->cancelled());
}

TEST(ActivityTest, IsFoundByTheThreadAndCountsSteps) {
  EXPECT_EQ(Activity::Current(), nullptr);
  Activity activity;
  const ActivityScope scope(&activity);
  ASSERT_EQ(Activity::Current(), &activity);
  activity.Begin("code", "modules", 3);
  activity.SetInstructions(7);
  std::thread([&] { activity.Advance(); }).join();
  activity.Advance();
  Activity::State state = activity.Get();
  EXPECT_EQ(state.phase, "code");
  EXPECT_EQ(state.detail, "modules");
  EXPECT_EQ(state.done, 2);
  EXPECT_EQ(state.steps, 3);
  EXPECT_EQ(state.instructions, 7);
  activity.Begin("run");
  state = activity.Get();
  EXPECT_EQ(state.detail, "");
  EXPECT_EQ(state.done, 0);
  EXPECT_EQ(state.steps, 0);
  EXPECT_EQ(state.instructions, 7);
  const ActivityScope nobody(nullptr);
  EXPECT_EQ(Activity::Current(), nullptr);
}

}  // namespace
}  // namespace xla
