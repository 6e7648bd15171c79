// Smaller parts of the client: rendezvous, assignments, flags, options.
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/client/debug/debug_options_flags.h"
#include "xla/client/executable_build_options.h"
#include "xla/client/rendezvous.h"
#include "xla/core/literal/literal_util.h"
#include "xla/core/shape_util.h"
#include "xla/hlo/sharding/device_assignment.h"
#include "xla/runtime/wait_watch.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<std::vector<Literal>> Echo(
    const std::vector<std::vector<Literal>>& arguments) {
  std::vector<Literal> results;
  for (const auto& of_device : arguments) {
    results.push_back(of_device[0].Clone());
  }
  return results;
}

std::vector<Literal> Argument(int value) {
  std::vector<Literal> arguments;
  arguments.push_back(LiteralUtil::CreateR0<int32_t>(value));
  return arguments;
}

TEST(RendezvousTest, EachGetsItsOwn) {
  Rendezvous rendezvous(absl::Minutes(1));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int run = 0; run < 4; ++run) {
    for (int d = 0; d < 5; ++d) {
      threads.emplace_back([&, run, d] {
        const int value = 10 * run + d;
        const absl::StatusOr<Literal> result =
            rendezvous.Join(run, d, 5, Argument(value), Echo);
        if (result.ok() && result->Get<int32_t>({}) == value) ++right;
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
}

TEST(RendezvousTest, GivesUpOnThoseWhoDoNotCome) {
  Rendezvous rendezvous(absl::Milliseconds(20));
  const absl::StatusOr<Literal> result =
      rendezvous.Join(7, 1, 3, Argument(0), Echo);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(result.status().message(), HasSubstr("not come: 0 2"));
}

TEST(RendezvousTest, ALongWaitIsLogged) {
  const absl::Duration before = WaitWarningAfter();
  SetWaitWarningAfter(absl::Milliseconds(10));
  testing::internal::CaptureStderr();
  Rendezvous rendezvous(absl::Milliseconds(100));
  EXPECT_FALSE(rendezvous.Join(7, 1, 3, Argument(0), Echo).ok());
  const std::string log = testing::internal::GetCapturedStderr();
  SetWaitWarningAfter(before);
  EXPECT_THAT(log, HasSubstr("device 1 has waited for"));
  EXPECT_THAT(log, HasSubstr("in the run with id 7 for logical devices 0 2"));
}

TEST(RendezvousTest, ErrorsReachAll) {
  Rendezvous rendezvous(absl::Minutes(1));
  std::atomic<int> failed{0};
  std::vector<std::thread> threads;
  for (int d = 0; d < 3; ++d) {
    threads.emplace_back([&, d] {
      const auto result =
          rendezvous.Join(0, d, 3, Argument(0),
                          [](const std::vector<std::vector<Literal>>&)
                              -> absl::StatusOr<std::vector<Literal>> {
                            return absl::AbortedError("no");
                          });
      if (result.status().code() == absl::StatusCode::kAborted) ++failed;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 3);
}

TEST(DeviceAssignmentTest, RoundTrip) {
  const DeviceAssignment assignment =
      ComputationPlacer::AssignDevices(2, 3).value();
  EXPECT_EQ(assignment(1, 2), 5);
  EXPECT_EQ(assignment.ReplicaIdForDevice(5).value(), 1);
  EXPECT_FALSE(assignment.LogicalIdForDevice(6).ok());
  DeviceAssignmentProto proto;
  assignment.Serialize(&proto);
  EXPECT_EQ(*DeviceAssignment::Deserialize(proto).value(), assignment);
  EXPECT_THAT(assignment.ToString(), HasSubstr("Computation2{4 5}"));
  proto.set_replica_count(1 << 30);
  EXPECT_FALSE(DeviceAssignment::Deserialize(proto).ok());
  EXPECT_FALSE(ComputationPlacer::AssignDevices(0, 1).ok());
}

TEST(DebugOptionsFlagsTest, ParsesByFieldName) {
  const DebugOptions options =
      ParseDebugOptions(
          "--xla_force_host_platform_device_count=8 "
          "--xla_cpu_enable_fast_math --xla_dump_to=/x "
          "--xla_disable_hlo_passes=a,b "
          "--xla_backend_extra_options=fast,level=2 "
          "--xla_gpu_autotune_level=0")
          .value();
  EXPECT_EQ(options.xla_force_host_platform_device_count(), 8);
  EXPECT_TRUE(options.xla_cpu_enable_fast_math());
  EXPECT_EQ(options.xla_dump_to(), "/x");
  EXPECT_THAT(options.xla_disable_hlo_passes(), testing::ElementsAre("a", "b"));
  EXPECT_THAT(options.xla_backend_extra_options(),
              testing::UnorderedElementsAre(testing::Pair("fast", ""),
                                            testing::Pair("level", "2")));
  for (const char* bad :
       {"xla_dump_to=1", "--other=1", "--xla_no_such_option=1", "--",
        "--xla_cpu_enable_fast_math=2x",
        "--xla_force_host_platform_device_count=many"}) {
    EXPECT_FALSE(ParseDebugOptions(bad).ok()) << bad;
  }
}

TEST(ExecutableBuildOptionsTest, BecomeExecutionOptions) {
  ExecutableBuildOptions options;
  options.set_num_replicas(2).set_result_layout(ShapeUtil::MakeShape(F32, {2}));
  options.set_device_assignment(ComputationPlacer::AssignDevices(2, 1).value());
  const ExecutionOptions execution = CreateExecutionOptions(options, nullptr);
  EXPECT_EQ(execution.num_replicas(), 2);
  EXPECT_EQ(execution.device_assignment().replica_count(), 2);
  EXPECT_EQ(execution.shape_with_output_layout().dimensions(0), 2);
  EXPECT_THAT(options.ToString(), HasSubstr("num_replicas=2"));
}

}  // namespace
}  // namespace xla
