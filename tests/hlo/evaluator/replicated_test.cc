// Several devices: how they form groups, wait and fail.
#include "xla/hlo/evaluator/replicated.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/hlo/evaluator/evaluator_test_base.h"

namespace xla {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Returns an entry with x = 10^device number (1, 10, 100, 1000) and `ops`.
std::string WithDeviceValue(absl::string_view ops) {
  return absl::StrCat(R"(HloModule m
add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT r = s32[] add(a, b)
}

ENTRY e {
  replica = u32[] replica-id()
  partition = u32[] partition-id()
  two = u32[] constant(2)
  twice = u32[] multiply(replica, two)
  number = u32[] add(twice, partition)
  powers = s32[4]{0} constant({1, 10, 100, 1000})
  one = s32[1]{0} dynamic-slice(powers, number), dynamic_slice_sizes={1}
  x = s32[] reshape(one)
)",
                      ops, "\n}\n");
}

TEST(GroupModeTest, CrossReplica) {
  EXPECT_THAT(
      RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                 "replica_groups={{0,1}}, "
                                 "to_apply=add"),
                 Devices(2, 2)),
      ElementsAre("s32[] 101", "s32[] 1010", "s32[] 101", "s32[] 1010"));
}

TEST(GroupModeTest, CrossReplicaAndPartition) {
  EXPECT_THAT(RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                         "channel_id=1, "
                                         "replica_groups={{0},{1}}, "
                                         "to_apply=add"),
                         Devices(2, 2)),
              ElementsAre("s32[] 11", "s32[] 11", "s32[] 1100", "s32[] 1100"));
  EXPECT_THAT(RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                         "channel_id=1, replica_groups={}, "
                                         "to_apply=add"),
                         Devices(2, 2)),
              Each("s32[] 1111"));
}

TEST(GroupModeTest, FlattenedIds) {
  EXPECT_THAT(
      RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                 "channel_id=1, "
                                 "replica_groups={{0,3},{1,2}}, "
                                 "use_global_device_ids=true, "
                                 "to_apply=add"),
                 Devices(2, 2)),
      ElementsAre("s32[] 1001", "s32[] 110", "s32[] 110", "s32[] 1001"));
  // The iota form: [2,2]<=[2,2]T(1,0) is {{0,2},{1,3}}.
  EXPECT_THAT(
      RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                 "channel_id=1, "
                                 "replica_groups=[2,2]<=[2,2]T(1,0), "
                                 "use_global_device_ids=true, "
                                 "to_apply=add"),
                 Devices(2, 2)),
      ElementsAre("s32[] 101", "s32[] 1010", "s32[] 101", "s32[] 1010"));
}

TEST(GroupModeTest, CrossPartition) {
  EXPECT_THAT(
      RunDevices(WithDeviceValue("ROOT r = s32[] collective-permute(x), "
                                 "channel_id=1, "
                                 "source_target_pairs={{0,1},{1,0}}"),
                 Devices(2, 2)),
      ElementsAre("s32[] 10", "s32[] 1", "s32[] 1000", "s32[] 100"));
}

TEST(ReplicatedTest, GroupsThatNameMissingDevicesAreErrors) {
  EXPECT_THAT(RunDevices(WithDeviceValue("ROOT r = s32[] all-reduce(x), "
                                         "replica_groups={{0,1,2}}, "
                                         "to_apply=add"),
                         Devices(2)),
              ElementsAre(HasSubstr("name device 2")));
}

TEST(ReplicatedTest, ManyDevices) {
  EXPECT_THAT(RunDevices(R"(HloModule m
add {
  a = u32[] parameter(0)
  b = u32[] parameter(1)
  ROOT r = u32[] add(a, b)
}

ENTRY e {
  id = u32[] replica-id()
  ROOT r = u32[] all-reduce(id), replica_groups={}, to_apply=add
})",
                         Devices(100)),
              AllOf(SizeIs(100), Each("u32[] 4950")));
}

// Runs branch 0 on replica 0, else branch 1, with one value each.
constexpr absl::string_view kByReplica = R"(
ENTRY e {
  id = u32[] replica-id()
  i = s32[] convert(id)
  x = s32[] constant(7)
  ROOT r = s32[] conditional(i, x, x), branch_computations={zero, other}
})";

TEST(ReplicatedTest, SendAndRecvOnDifferentDevices) {
  EXPECT_THAT(RunDevices(absl::StrCat(R"(HloModule m
zero {
  x = s32[] parameter(0)
  t = token[] after-all()
  v = (s32[], u32[], token[]) recv(t), channel_id=5
  d = (s32[], token[]) recv-done(v), channel_id=5
  ROOT r = s32[] get-tuple-element(d), index=0
}

other {
  x = s32[] parameter(0)
  t = token[] after-all()
  s = (s32[], u32[], token[]) send(x, t), channel_id=5
  d = token[] send-done(s), channel_id=5
  ROOT r = s32[] negate(x)
}
)",
                                      kByReplica),
                         Devices(2)),
              ElementsAre("s32[] 7", "s32[] -7"));
}

TEST(ReplicatedTest, CollectivesOfOneChannelMeetAcrossBranches) {
  EXPECT_THAT(RunDevices(R"(HloModule m
zero {
  x = s32[] parameter(0)
  w = s32[2]{0} broadcast(x), dimensions={}
  ROOT r = s32[4]{0} all-gather(w), channel_id=1, replica_groups={}, dimensions={0}
}

other {
  x = s32[] parameter(0)
  n = s32[] negate(x)
  w = s32[2]{0} broadcast(n), dimensions={}
  ROOT r = s32[4]{0} all-gather(w), channel_id=1, replica_groups={}, dimensions={0}
}

ENTRY e {
  id = u32[] replica-id()
  i = s32[] convert(id)
  x = s32[] constant(7)
  ROOT r = s32[4]{0} conditional(i, x, x), branch_computations={zero, other}
})",
                         Devices(2)),
              Each("s32[4] {7, 7, -7, -7}"));
}

TEST(ReplicatedTest, DifferingOperandsOfOneChannelAreAnError) {
  EXPECT_THAT(RunDevices(absl::StrCat(R"(HloModule m
zero {
  x = s32[] parameter(0)
  v = s32[1]{0} reshape(x)
  g = s32[2]{0} all-gather(v), channel_id=1, replica_groups={}, dimensions={0}
  i = s32[1]{0} slice(g), slice={[1:2]}
  ROOT r = s32[] reshape(i)
}

other {
  x = s32[] parameter(0)
  v = s32[2]{0} broadcast(x), dimensions={}
  g = s32[4]{0} all-gather(v), channel_id=1, replica_groups={}, dimensions={0}
  i = s32[1]{0} slice(g), slice={[1:2]}
  ROOT r = s32[] reshape(i)
}
)",
                                      kByReplica),
                         Devices(2)),
              ElementsAre(HasSubstr("operands of differing shapes")));
}

TEST(ReplicatedTest, AFailureReleasesTheOthers) {
  EXPECT_THAT(RunDevices(absl::StrCat(R"(HloModule m
zero {
  x = s32[] parameter(0)
  ROOT r = s32[] collective-broadcast(x), replica_groups={{0,1}}
}

other {
  x = s32[] parameter(0)
  ROOT r = s32[] custom-call(x), custom_call_target="fails"
}
)",
                                      kByReplica),
                         Devices(2)),
              ElementsAre(HasSubstr("\"fails\"")));
}

TEST(ReplicatedTest, RandomNumbersFollowFromSeedAndDevice) {
  constexpr absl::string_view kText = R"(HloModule m
ENTRY e {
  ROOT r = u64[2]{0} rng-get-and-update-state(), delta=1
})";
  ReplicatedOptions options = Devices(2);
  options.seed = 42;
  const std::vector<std::string> first = RunDevices(kText, options);
  EXPECT_EQ(first, RunDevices(kText, options));
  ASSERT_THAT(first, SizeIs(2));
  EXPECT_NE(first[0], first[1]);
}

TEST(ReplicatedTest, NumbersOfDevicesAndArguments) {
  constexpr absl::string_view kText =
      "HloModule m\nENTRY e {\n  ROOT c = s32[] constant(1)\n}";
  std::unique_ptr<HloModule> module = ParseModule(kText);
  ASSERT_NE(module, nullptr);
  EXPECT_FALSE(EvaluateReplicated(*module, {}, Devices(1)).ok());
  EXPECT_FALSE(EvaluateReplicated(*module, {}, Devices(0)).ok());
  EXPECT_FALSE(
      EvaluateReplicated(*module, {}, Devices(int64_t{1} << 40, 2)).ok());
}

}  // namespace
}  // namespace xla
