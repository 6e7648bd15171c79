// Several devices: collectives and channels without a thread for each waiting
// device, errors and deadlocks.
#include "xla/backends/cpu/thunks/executor.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"
#include "xla/backends/cpu/thunks/device_thunks.h"
#include "xla/backends/cpu/thunks/scratch.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/backends/cpu/thunks/transfer_thunks.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/wait_watch.h"

namespace xla::cpu {
namespace {

using ::testing::HasSubstr;

// Runs a C++ function as a thunk.
class FunctionThunk : public Thunk {
 public:
  using Function = std::function<absl::Status(DeviceRun&)>;
  explicit FunctionThunk(Function function)
      : Thunk("function"), function_(std::move(function)) {}
  absl::string_view kind() const override { return "function"; }
  BufferUses buffer_uses() const override { return {}; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    const absl::Status status = function_(run);
    if (!status.ok()) return status;
    return ThunkResult{here + 1};
  }

 private:
  const Function function_;
};

std::unique_ptr<Thunk> Call(FunctionThunk::Function function) {
  return std::make_unique<FunctionThunk>(std::move(function));
}

CollectiveSite Site(absl::string_view op, DeviceCounts counts,
                    std::vector<std::vector<int64_t>> groups, int from, int to,
                    int64_t count = 2) {
  const ReplicaGroups replica_groups(std::move(groups));
  CollectiveSite site{
      .name = absl::StrCat(op, ".1"),
      .op = op,
      .channel = 0,
      .membership = Membership::Create(
          replica_groups, COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA, counts),
      .shapes = {ShapeUtil::MakeShape(S32, {count})},
      .operands = {Whole(from, 4 * count)},
      .results = {Whole(to, 4 * count)},
  };
  return site;
}

void AddIntegers(char* const* a, int64_t begin, int64_t end) {
  const auto* x = reinterpret_cast<const int32_t*>(a[0]);
  const auto* y = reinterpret_cast<const int32_t*>(a[1]);
  auto* sum = reinterpret_cast<int32_t*>(a[2]);
  for (int64_t i = begin; i < end; ++i) sum[i] = x[i] + y[i];
}

std::unique_ptr<Thunk> AllReduce(
    DeviceCounts counts, int from, int to,
    std::vector<std::vector<int64_t>> groups = {}) {
  return std::make_unique<AllReduceThunk>(
      Site("all-reduce", counts, std::move(groups), from, to),
      Reducer(AddIntegers, S32));
}

TEST(RunDevicesTest, EightDevicesInALoopOnTwoThreads) {
  const DeviceCounts counts{8, 1};
  ThunkSequenceBuilder builder;
  const auto test = builder.NewLabel(), end = builder.NewLabel();
  builder.Add(Call([](DeviceRun& run) {
    auto* values = reinterpret_cast<int32_t*>(run.allocations()[0]);
    values[0] = static_cast<int32_t>(run.number());
    values[1] = 1;
    return absl::OkStatus();
  }));
  builder.Bind(test);
  builder.Add(Kernel(4, [](char* const* a, int64_t, int64_t) {
    *a[2] = (*reinterpret_cast<int32_t*>(a[3]))++ < 200 ? 1 : 0;
  }));
  builder.AddJumpIfFalse("while", Whole(2, 1), end);
  builder.Add(AllReduce(counts, 0, 1));
  builder.Add(Kernel(2, [](char* const* a, int64_t, int64_t) {
    auto* values = reinterpret_cast<int32_t*>(a[0]);
    const auto* sums = reinterpret_cast<const int32_t*>(a[1]);
    values[0] = (values[0] + sums[0]) % 1000;
    values[1] = sums[1] % 7;
  }));
  builder.AddJump("while", test);
  builder.Bind(end);
  const ThunkSequence thunks = *std::move(builder).Build();

  // The same, computed by hand.
  int32_t first[8], second[8];
  for (int d = 0; d < 8; ++d) first[d] = d, second[d] = 1;
  for (int i = 0; i < 200; ++i) {
    int32_t sums[2] = {0, 0};
    for (int d = 0; d < 8; ++d) sums[0] += first[d], sums[1] += second[d];
    for (int d = 0; d < 8; ++d) {
      first[d] = (first[d] + sums[0]) % 1000;
      second[d] = sums[1] % 7;
    }
  }
  ThreadPool pool(2);
  for (ThreadPool* threads : {&pool, static_cast<ThreadPool*>(nullptr)}) {
    TestDevices devices(counts, 4);
    ASSERT_TRUE(devices.Run(thunks, threads).ok());
    for (int d = 0; d < 8; ++d) {
      EXPECT_EQ(devices.At<int32_t>(d, 0, 0), first[d]) << d;
      EXPECT_EQ(devices.At<int32_t>(d, 0, 1), second[d]) << d;
    }
  }
  EXPECT_LE(pool.started_threads(), 2);
}

TEST(RunDevicesTest, ResultsMayShareMemoryWithOperands) {
  const DeviceCounts counts{4, 1};
  ThunkSequence thunks;
  thunks.push_back(AllReduce(counts, 0, 0, {{0, 2}, {3, 1}}));
  TestDevices devices(counts, 1);
  for (int d = 0; d < 4; ++d) devices.At<int32_t>(d, 0) = 1 << d;
  ASSERT_TRUE(devices.Run(thunks).ok());
  for (int d = 0; d < 4; ++d) {
    EXPECT_EQ(devices.At<int32_t>(d, 0), d % 2 == 0 ? 5 : 10) << d;
  }
  // The same for a permutation.
  ThunkSequence permute;
  permute.push_back(std::make_unique<CollectivePermuteThunk>(
      Site("collective-permute", counts, {{0, 1, 2}}, 0, 0),
      std::vector<int64_t>{2, 0, -1, -1}));
  for (int d = 0; d < 4; ++d) devices.At<int32_t>(d, 0) = 10 + d;
  ASSERT_TRUE(devices.Run(permute).ok());
  EXPECT_EQ(devices.At<int32_t>(0, 0), 12);
  EXPECT_EQ(devices.At<int32_t>(1, 0), 10);
  EXPECT_EQ(devices.At<int32_t>(2, 0), 0);
  EXPECT_EQ(devices.At<int32_t>(3, 0), 0);
}

TEST(RunDevicesTest, CollectivesOfOneChannelMeet) {
  const DeviceCounts counts{2, 1};
  ThunkSequenceBuilder builder;
  const std::vector<ThunkSequenceBuilder::Label> branches = {
      builder.NewLabel(), builder.NewLabel()};
  const auto end = builder.NewLabel();
  const auto on_channel = [&](int from, int to) {
    CollectiveSite site = Site("all-reduce", counts, {}, from, to);
    site.channel = 5;
    return std::make_unique<AllReduceThunk>(std::move(site),
                                            Reducer(AddIntegers, S32));
  };
  builder.AddSwitch("switch", Whole(2, 4), false, branches);
  builder.Bind(branches[0]);
  builder.Add(on_channel(0, 1));
  builder.AddJump("end", end);
  builder.Bind(branches[1]);
  builder.Add(on_channel(1, 1));
  builder.Bind(end);
  const ThunkSequence thunks = *std::move(builder).Build();
  TestDevices devices(counts, 3);
  devices.At<int32_t>(1, 2) = 1;
  devices.At<int32_t>(0, 0) = 3;
  devices.At<int32_t>(1, 1) = 4;
  ASSERT_TRUE(devices.Run(thunks).ok());
  EXPECT_EQ(devices.At<int32_t>(0, 1), 7);
  EXPECT_EQ(devices.At<int32_t>(1, 1), 7);
}

// Device 0 skips the collective.
ThunkSequence OneMissing(DeviceCounts counts) {
  ThunkSequenceBuilder builder;
  const auto end = builder.NewLabel();
  builder.Add(Call([](DeviceRun& run) {
    *run.allocations()[2] = run.number() == 0 ? 0 : 1;
    return absl::OkStatus();
  }));
  builder.AddJumpIfFalse("skip", Whole(2, 1), end);
  builder.Add(AllReduce(counts, 0, 1));
  builder.Bind(end);
  return *std::move(builder).Build();
}

TEST(RunDevicesTest, DeadlockIsAborted) {
  const DeviceCounts counts{3, 1};
  ThreadPool pool(2);
  TestDevices devices(counts, 3);
  const absl::Status status = devices.Run(OneMissing(counts), &pool);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(),
            "deadlock: no device can go on; device 1 waits for all-reduce.1 "
            "(all-reduce) with devices {0,1,2}, of which {0} did not arrive, "
            "device 2 waits for all-reduce.1 (all-reduce) with devices "
            "{0,1,2}, of which {0} did not arrive");
  // The same devices can run again.
  ThunkSequence thunks;
  thunks.push_back(AllReduce(counts, 0, 1));
  EXPECT_TRUE(devices.Run(thunks, &pool).ok());
}

TEST(RunDevicesTest, ALongWaitIsLogged) {
  const DeviceCounts counts{2, 1};
  ThunkSequence thunks;
  thunks.push_back(Call([](DeviceRun& run) {
    if (run.number() == 1) absl::SleepFor(absl::Milliseconds(500));
    return absl::OkStatus();
  }));
  thunks.push_back(AllReduce(counts, 0, 0));
  ThreadPool pool(2);
  TestDevices devices(counts, 1);
  const absl::Duration before = WaitWarningAfter();
  SetWaitWarningAfter(absl::Milliseconds(20));
  testing::internal::CaptureStderr();
  EXPECT_TRUE(devices.Run(thunks, &pool).ok());
  const std::string log = testing::internal::GetCapturedStderr();
  SetWaitWarningAfter(before);
  EXPECT_THAT(log, HasSubstr("device 0 for all-reduce.1"));
  EXPECT_THAT(log, HasSubstr("devices that still run: 1"));
}

TEST(RunDevicesTest, ADeviceAloneThatWaitsIsAborted) {
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<RecvThunk>(
      ChannelSite{"recv.1", 3}, std::vector<Slice>{Whole(0, 4)}, Whole(1, 4)));
  thunks.push_back(std::make_unique<RecvDoneThunk>(
      "recv-done.1", 3, Whole(1, 4),
      DeviceValue{ShapeUtil::MakeShape(S32, {}), {Whole(0, 4)}}));
  TestDevices devices(1, 2);
  const absl::Status status = devices.Run(thunks);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("device 0 waits for recv-done.1 (channel 3)"));
}

TEST(RunDevicesTest, AnErrorEndsAllDevices) {
  const DeviceCounts counts{4, 1};
  ThunkSequenceBuilder builder;
  builder.Add(Call([](DeviceRun& run) {
    return run.number() == 2 ? absl::DataLossError("gone") : absl::OkStatus();
  }));
  builder.Add(AllReduce(counts, 0, 1));
  // Not reached by any device.
  builder.Add(Call([](DeviceRun&) { return absl::InternalError("reached"); }));
  const ThunkSequence thunks = *std::move(builder).Build();
  ThreadPool pool(2);
  TestDevices devices(counts, 2);
  EXPECT_EQ(devices.Run(thunks, &pool), absl::DataLossError("gone"));
  EXPECT_EQ(devices.Run(thunks), absl::DataLossError("gone"));
}

TEST(RunDevicesTest, AnErrorEndsADeviceThatLoopsForEver) {
  ThunkSequenceBuilder builder;
  const auto again = builder.NewLabel(), fail = builder.NewLabel();
  builder.AddJumpIfFalse("choose", Whole(0, 1), fail);
  builder.Bind(again);
  builder.AddJump("loop", again);
  builder.Bind(fail);
  builder.Add(Call([](DeviceRun&) { return absl::DataLossError("gone"); }));
  const ThunkSequence thunks = *std::move(builder).Build();
  ThreadPool pool(2);
  TestDevices devices(2, 1);
  devices.At<char>(1, 0) = 1;
  EXPECT_EQ(devices.Run(thunks, &pool), absl::DataLossError("gone"));
}

TEST(RunDevicesTest, HostCodeMayWaitForAnotherDevice) {
  // A pool of one thread: the device that waits must not block the other one.
  ThreadPool pool(1);
  std::atomic<bool> came{false};
  ThunkSequence thunks;
  thunks.push_back(Call([&](DeviceRun& run) {
    if (run.number() == 1) {
      came = true;
      return absl::OkStatus();
    }
    HostWait wait(run.group().scheduler());
    while (!came) std::this_thread::yield();
    return absl::OkStatus();
  }));
  TestDevices devices(2, 1);
  EXPECT_TRUE(devices.Run(thunks, &pool).ok());
  came = false;
  absl::Status status;
  {
    ThreadPool caller(1);
    caller.Schedule([&] { status = devices.Run(thunks, &caller); });
  }
  EXPECT_TRUE(status.ok());
}

TEST(TransferThunksTest, InfeedAndOutfeed) {
  const DeviceValue value{ShapeUtil::MakeShape(F32, {2}), {Whole(0, 8)}};
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<InfeedThunk>("infeed.1", value));
  thunks.push_back(Kernel(1, [](char* const* a, int64_t, int64_t) {
    reinterpret_cast<float*>(a[0])[1] += 1;
  }));
  thunks.push_back(std::make_unique<OutfeedThunk>("outfeed.1", value, Shape()));
  TransferQueues queues(absl::InfiniteDuration());
  TestDevices devices(1, 1);
  devices.options().queues = {&queues};
  std::thread host(
      [&] { queues.TransferToInfeed(LiteralUtil::CreateR1<float>({1, 2})); });
  ASSERT_TRUE(devices.Run(thunks).ok());
  host.join();
  EXPECT_EQ(queues.TransferFromOutfeed()->ToStringOneline(), "f32[2] {1, 3}");
  // Another shape.
  queues.TransferToInfeed(LiteralUtil::CreateR0<float>(1));
  EXPECT_EQ(devices.Run(thunks),
            absl::InvalidArgumentError("infeed.1: expected f32[2], received "
                                       "f32[]"));
  devices.options().queues = {};
  EXPECT_EQ(devices.Run(thunks),
            absl::FailedPreconditionError("infeed.1: infeed needs the host, "
                                          "but device 0 has no queues to it"));
  TransferQueues impatient;
  devices.options().queues = {&impatient};
  EXPECT_EQ(devices.Run(thunks).code(), absl::StatusCode::kFailedPrecondition);
}

TEST(TransferThunksTest, DevicesSendAndReceiveInARing) {
  const DeviceCounts counts{3, 1};
  ChannelSite site{"send.1", 1, false, SourceTargetPairs{{0, 1}, {1, 2}}};
  const DeviceValue sent{ShapeUtil::MakeShape(S32, {}), {Whole(0, 4)}};
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<RecvThunk>(
      site, std::vector<Slice>{Whole(1, 4)}, Whole(2, 4)));
  // Device 2 waits before any device has sent.
  thunks.push_back(std::make_unique<SendThunk>(
      site, sent, std::vector<Slice>{Whole(3, 4)}, Whole(4, 4)));
  thunks.push_back(std::make_unique<RecvDoneThunk>(
      "recv-done.1", 1, Whole(2, 4), DeviceValue{sent.shape, {Whole(1, 4)}}));
  ThreadPool pool(2);
  for (int i = 0; i < 50; ++i) {
    TestDevices devices(counts, 5);
    for (int d = 0; d < 3; ++d) devices.At<int32_t>(d, 0) = 10 + d;
    ASSERT_TRUE(devices.Run(thunks, &pool).ok());
    EXPECT_EQ(devices.At<int32_t>(0, 1), 0);
    EXPECT_EQ(devices.At<int32_t>(1, 1), 10);
    EXPECT_EQ(devices.At<int32_t>(2, 1), 11);
    EXPECT_EQ(devices.At<int32_t>(2, 3), 12);
  }
}

TEST(DeviceThunksTest, Numbers) {
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<DeviceNumberThunk>(
      "r", DeviceNumberThunk::Which::kReplica, Whole(0, 4)));
  thunks.push_back(std::make_unique<DeviceNumberThunk>(
      "p", DeviceNumberThunk::Which::kPartition, Whole(1, 4)));
  thunks.push_back(std::make_unique<RngStateThunk>("s", 1, Whole(2, 16)));
  thunks.push_back(std::make_unique<RngStateThunk>("s", 1, Whole(3, 16)));
  TestDevices devices(DeviceCounts{2, 3}, 4);
  ASSERT_TRUE(devices.Run(thunks).ok());
  for (int d = 0; d < 6; ++d) {
    EXPECT_EQ(devices.At<uint32_t>(d, 0), d / 3);
    EXPECT_EQ(devices.At<uint32_t>(d, 1), d % 3);
    EXPECT_EQ(devices.At<uint64_t>(d, 3), devices.At<uint64_t>(d, 2) + 1);
  }
  EXPECT_NE(devices.At<uint64_t>(0, 2), devices.At<uint64_t>(1, 2));
}

// Requests `bytes` of scratch; the temporaries from byte `from` on are free.
class ScratchThunk : public Thunk {
 public:
  ScratchThunk(int64_t bytes, int64_t from) : Thunk("scratch"), bytes_(bytes) {
    set_scratch_from(from);
  }
  absl::string_view kind() const override { return "scratch"; }
  int64_t scratch_bytes(int num_threads) const override {
    return bytes_ * num_threads;
  }
  BufferUses buffer_uses() const override { return {}; }
  absl::StatusOr<ThunkResult> Run(DeviceRun& run, int64_t here) const override {
    std::fill_n(run.scratch(), bytes_, static_cast<char>(here + 1));
    return ThunkResult{here + 1};
  }

 private:
  const int64_t bytes_;
};

TEST(PlaceScratchTest, LiesBehindWhatIsNeeded) {
  ThunkSequence thunks;
  thunks.push_back(std::make_unique<ScratchThunk>(0, 0));
  thunks.push_back(std::make_unique<ScratchThunk>(100, 200));  // within
  thunks.push_back(std::make_unique<ScratchThunk>(150, 256));  // partly
  thunks.push_back(std::make_unique<ScratchThunk>(64, -1));    // after the last
  EXPECT_EQ(PlaceScratch(thunks, 2, 384), 556);
  EXPECT_EQ(PlaceScratch(thunks, 1, 384), 448);
  EXPECT_EQ(thunks[1]->scratch_offset(), 256);
  EXPECT_EQ(thunks[2]->scratch_offset(), 256);
  EXPECT_EQ(thunks[3]->scratch_offset(), 384);

  RunGroup group(DeviceCounts{1, 1});
  DeviceRun run(&group, 0);
  std::vector<char> memory(448, 0);
  InlineRunner runner;
  const Executable::RunOptions options;
  run.Begin(nullptr, memory.data(), &options, &runner);
  DeviceRun* const devices[] = {&run};
  ASSERT_TRUE(RunDevices(thunks, devices, nullptr).ok());
  EXPECT_EQ(memory[255], 0);
  EXPECT_EQ(memory[256], 3);
  EXPECT_EQ(memory[383], 3);
  EXPECT_EQ(memory[384], 4);
  EXPECT_EQ(memory[447], 4);
}

}  // namespace
}  // namespace xla::cpu
