// Infeed, outfeed and host channels, with a host on another thread.
#include "xla/hlo/evaluator/device/transfers.h"

#include <thread>

#include "gmock/gmock.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"
#include "xla/core/literal/literal_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Adds 1 to each of two received values and sends them back. The loops order
// the infeeds, as in the document's example.
constexpr absl::string_view kAddOne = R"(HloModule m
cond {
  t = (s32[], token[]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  two = s32[] constant(2)
  ROOT r = pred[] compare(i, two), direction=LT
}

body {
  t = (s32[], token[]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  before = token[] get-tuple-element(t), index=1
  in = (f32[2]{0}, token[]) infeed(before)
  v = f32[2]{0} get-tuple-element(in), index=0
  ones = f32[2]{0} constant({1, 1})
  sum = f32[2]{0} add(v, ones)
  between = token[] get-tuple-element(in), index=1
  after = token[] outfeed(sum, between), outfeed_shape=f32[2]{0}
  ROOT r = (s32[], token[]) tuple(next, after)
}

ENTRY e {
  zero = s32[] constant(0)
  t = token[] after-all()
  init = (s32[], token[]) tuple(zero, t)
  w = (s32[], token[]) while(init), condition=cond, body=body
  ROOT r = s32[] get-tuple-element(w), index=0
})";

ReplicatedOptions WithQueues(std::vector<TransferQueues*> queues) {
  ReplicatedOptions options = Devices(queues.size());
  options.queues = std::move(queues);
  return options;
}

TEST(InfeedTest, TakesWhatIsQueued) {
  TransferQueues queues;
  queues.TransferToInfeed(LiteralUtil::CreateR1<float>({1, 2}));
  queues.TransferToInfeed(LiteralUtil::CreateR1<float>({10, 20}));
  EXPECT_THAT(RunDevices(kAddOne, WithQueues({&queues})),
              ElementsAre("s32[] 2"));
  EXPECT_EQ(Text(queues.TransferFromOutfeed()), "f32[2] {2, 3}");
  EXPECT_EQ(Text(queues.TransferFromOutfeed()), "f32[2] {11, 21}");
  EXPECT_EQ(queues.TransferFromOutfeed().status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(InfeedTest, AnEmptyQueueIsAnError) {
  TransferQueues queues;
  EXPECT_THAT(RunDevices(kAddOne, WithQueues({&queues})),
              ElementsAre(HasSubstr("the queue is empty")));
}

TEST(InfeedTest, AnotherShapeIsAnError) {
  TransferQueues queues;
  queues.TransferToInfeed(LiteralUtil::CreateR1<float>({1, 2, 3}));
  EXPECT_THAT(RunDevices(kAddOne, WithQueues({&queues})),
              ElementsAre(HasSubstr("expected f32[2], received f32[3]")));
}

TEST(InfeedTest, TheHostMayTakeTurnsWithTheDevices) {
  TransferQueues first(absl::Seconds(60));
  TransferQueues second(absl::Seconds(60));
  std::thread host([&] {
    // The second device is served first; each further value depends on the one
    // before.
    for (TransferQueues* queues : {&second, &first}) {
      Literal value = LiteralUtil::CreateR1<float>({1, 2});
      for (int i = 0; i < 2; ++i) {
        queues->TransferToInfeed(std::move(value));
        auto out = queues->TransferFromOutfeed(absl::Seconds(60));
        ASSERT_TRUE(out.ok()) << out.status();
        value = *std::move(out);
      }
      EXPECT_EQ(value.ToStringOneline(), "f32[2] {3, 4}");
    }
  });
  EXPECT_THAT(RunDevices(kAddOne, WithQueues({&first, &second})),
              ElementsAre("s32[] 2", "s32[] 2"));
  host.join();
}

TEST(InfeedTest, ClosingReleasesTheDevice) {
  TransferQueues queues(absl::InfiniteDuration());
  std::thread host([&] { queues.Close(); });
  EXPECT_THAT(RunDevices(kAddOne, WithQueues({&queues})),
              ElementsAre(HasSubstr("closed")));
  host.join();
}

TEST(HostChannelTest, SendAndRecv) {
  TransferQueues queues;
  queues.to_device(7).Push(LiteralUtil::CreateR0<int32_t>(5));
  EXPECT_THAT(RunDevices(R"(HloModule m
ENTRY e {
  t = token[] after-all()
  v = (s32[], u32[], token[]) recv(t), channel_id=7, is_host_transfer=true
  d = (s32[], token[]) recv-done(v), channel_id=7, is_host_transfer=true
  x = s32[] get-tuple-element(d), index=0
  n = s32[] negate(x)
  s = (s32[], u32[], token[]) send(n, t), channel_id=8, is_host_transfer=true
  sd = token[] send-done(s), channel_id=8, is_host_transfer=true
  ROOT r = s32[] copy(x)
})",
                         WithQueues({&queues})),
              ElementsAre("s32[] 5"));
  EXPECT_EQ(Text(queues.to_host(8).Pop(absl::ZeroDuration(), "8")), "s32[] -5");
}

}  // namespace
}  // namespace xla
