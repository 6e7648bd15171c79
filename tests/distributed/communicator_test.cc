// Runs collectives between communicators, over the loopback transport and over
// each engine that is installed, and makes them fail.
#include "xla/distributed/communicator.h"

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/distributed/cluster.h"
#include "xla/base/checked_math.h"
#include "xla/distributed/process_run.h"
#include "xla/distributed/schedule/reduce_schedules.h"

namespace xla::distributed {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

void AddFloats(int64_t begin, int64_t bytes,
               absl::Span<const char* const> sources, char* to) {
  auto* sum = reinterpret_cast<float*>(to);
  for (int64_t i = 0; i < bytes / 4; ++i) {
    float value = reinterpret_cast<const float*>(sources[0])[i];
    for (size_t s = 1; s < sources.size(); ++s) {
      value += reinterpret_cast<const float*>(sources[s])[i];
    }
    sum[i] = value;
  }
}

std::shared_ptr<ProgramIdentity> Program(int processes, int devices,
                                         uint64_t fingerprint = 17) {
  auto program = std::make_shared<ProgramIdentity>();
  program->name = "program_" + std::to_string(fingerprint);
  program->fingerprint = fingerprint;
  for (int p = 0; p < processes; ++p) {
    program->process_of_device.insert(program->process_of_device.end(), devices,
                                      p);
  }
  program->devices = 99;
  return program;
}

// Sums vectors of `elements` floats of all devices; every device of process p
// brings p + 1. Writes the first and last element of the result.
absl::Status Sum(ProcessRun& run, int process, int devices, int64_t elements,
                 ReduceAlgorithm algorithm, std::vector<float>* ends,
                 bool move_head = false) {
  std::vector<int64_t> members(run.num_devices());
  for (size_t m = 0; m < members.size(); ++m) members[m] = m;
  const ProcessGroup group = run.GroupOf(members);
  const Operation operation = run.NextOperation(
      "all-reduce", "f32", "all-reduce.1", 1, elements * 4, members);
  Schedule schedule =
      AllReduceSchedule(group, run.PlaceIn(group), elements * 4, algorithm);
  const int64_t head = RoundUpTo(elements * 4, kSegmentAlignment);
  if (move_head) schedule.MoveHead(head, devices + 1);
  std::vector<float> work(schedule.work_bytes / 4);
  std::vector<float> moved(elements);
  std::vector<float> mine(elements, static_cast<float>(process + 1));
  std::vector<char*> spaces(devices + 1, reinterpret_cast<char*>(mine.data()));
  spaces[0] = reinterpret_cast<char*>(work.data());
  spaces.push_back(reinterpret_cast<char*>(moved.data()));
  absl::Status status = run.Run(operation, group, schedule, spaces, AddFloats);
  const float* result =
      move_head ? moved.data() : work.data() + schedule.results[0] / 4;
  for (int64_t i = 0; i < elements && status.ok(); ++i) {
    EXPECT_EQ(result[i], result[0]) << i;
  }
  *ends = {result[0], result[elements - 1]};
  return status;
}

class CommunicatorTest : public testing::TestWithParam<const char*> {
 protected:
  // Returns null if the engine is not installed.
  std::unique_ptr<Cluster> Make(int processes, int devices,
                                absl::Duration timeout = absl::Seconds(20)) {
    auto cluster =
        std::make_unique<Cluster>(GetParam(), processes, devices, timeout);
    for (const absl::Status& status : cluster->statuses) {
      if (absl::IsUnimplemented(status)) return nullptr;
      EXPECT_TRUE(status.ok()) << status;
    }
    return cluster;
  }
};

TEST_P(CommunicatorTest, AllReducesOfAllSizesAndAlgorithms) {
  auto cluster = Make(3, 2);
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  using enum ReduceAlgorithm;
  OnThreads(3, [&](int p) {
    for (int repeat = 0; repeat < 2; ++repeat) {
      ProcessRun run(cluster->processes[p], Program(3, 2));
      ASSERT_EQ(run.number(), repeat);
      ASSERT_TRUE(run.Begin().ok());
      for (const int64_t elements : {1, 200, 5000, 300000}) {
        for (const ReduceAlgorithm algorithm : {kGather, kChain, kDirect}) {
          std::vector<float> ends;
          const absl::Status status =
              Sum(run, p, 2, elements, algorithm, &ends);
          ASSERT_TRUE(status.ok()) << status;
          EXPECT_EQ(ends, std::vector<float>({12, 12}));
          if (algorithm == kGather) continue;
          ends.clear();
          ASSERT_TRUE(
              Sum(run, p, 2, elements, algorithm, &ends, /*move_head=*/true)
                  .ok());
          EXPECT_EQ(ends, std::vector<float>({12, 12}));
        }
      }
    }
  });
}

TEST_P(CommunicatorTest, SmallSumsOfManyProcesses) {
  auto cluster = Make(7, 1);
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  OnThreads(7, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(7, 1));
    ASSERT_TRUE(run.Begin().ok());
    for (const int64_t elements : {3, 1000}) {
      std::vector<float> ends;
      const absl::Status status =
          Sum(run, p, 1, elements, ReduceAlgorithm::kGather, &ends);
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(ends, std::vector<float>({28, 28}));
    }
  });
}

TEST_P(CommunicatorTest, GroupsExchangeAtTheSameTime) {
  auto cluster = Make(2, 2);
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  std::vector<std::unique_ptr<ProcessRun>> runs;
  for (int p = 0; p < 2; ++p) {
    runs.push_back(
        std::make_unique<ProcessRun>(cluster->processes[p], Program(2, 2)));
  }
  // Four threads, one for each device; groups {0,2} and {1,3}.
  OnThreads(4, [&](int device) {
    ProcessRun& run = *runs[device / 2];
    const std::vector<int64_t> members = {device % 2, device % 2 + 2};
    const ProcessGroup group = run.GroupOf(members);
    for (int i = 0; i < 50; ++i) {
      const Operation operation =
          run.NextOperation("all-reduce", "f32", "sum", 7, 4000, members);
      const Schedule schedule = AllReduceSchedule(
          group, run.PlaceIn(group), 4000, ReduceAlgorithm::kDirect);
      std::vector<float> work(schedule.work_bytes / 4);
      std::vector<float> mine(1000, static_cast<float>(device * 100 + i));
      char* const spaces[] = {reinterpret_cast<char*>(work.data()),
                              reinterpret_cast<char*>(mine.data())};
      const absl::Status status =
          run.Run(operation, group, schedule, spaces, AddFloats);
      ASSERT_TRUE(status.ok()) << status;
      EXPECT_EQ(work[999], (members[0] + members[1]) * 100 + 2 * i);
    }
  });
}

TEST_P(CommunicatorTest, ThoseLeftHaveAnErrorWhenOneGoes) {
  auto cluster = Make(4, 1, absl::Seconds(10));
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  const absl::Time begin = absl::Now();
  OnThreads(4, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(4, 1));
    std::vector<float> ends;
    ASSERT_TRUE(Sum(run, p, 1, 100000, ReduceAlgorithm::kChain, &ends).ok());
    if (p == 2) {
      cluster->processes[p]->transport().Abort("gone");
      return;
    }
    const absl::Status status =
        Sum(run, p, 1, 100000, ReduceAlgorithm::kChain, &ends);
    EXPECT_TRUE(absl::IsUnavailable(status) || absl::IsAborted(status))
        << status;
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr("all-reduce.1 (all-reduce of 400000 bytes of "
                                "f32, channel 1, run 0)"),
                      HasSubstr("with process ")));
    // Later operations fail at once, with the first cause.
    EXPECT_EQ(cluster->processes[p]->status(), status);
    EXPECT_EQ(run.Begin(), status);
  });
  EXPECT_LT(absl::Now() - begin, absl::Seconds(8));
}

TEST_P(CommunicatorTest, AWaitEndsAfterTheTimeoutAndSaysWhoIsMissing) {
  auto cluster = Make(3, 1, absl::Milliseconds(300));
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  std::vector<absl::Status> statuses(3);
  OnThreads(3, [&](int p) {
    if (p == 1) return;
    ProcessRun run(cluster->processes[p], Program(3, 1));
    std::vector<float> ends;
    statuses[p] = Sum(run, p, 1, 1, ReduceAlgorithm::kGather, &ends);
  });
  int named = 0;
  for (const int p : {0, 2}) {
    EXPECT_FALSE(statuses[p].ok());
    if (!absl::IsDeadlineExceeded(statuses[p])) continue;
    ++named;
    EXPECT_THAT(statuses[p].message(), HasSubstr("nothing came yet from 1"));
  }
  EXPECT_GT(named, 0);
}

TEST_P(CommunicatorTest, ALongWaitIsLogged) {
  const absl::Duration before = WaitWarningAfter();
  SetWaitWarningAfter(absl::Milliseconds(20));
  auto cluster = Make(3, 1);
  if (cluster == nullptr) {
    SetWaitWarningAfter(before);
    GTEST_SKIP() << "the engine is not installed";
  }
  testing::internal::CaptureStderr();
  OnThreads(3, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(3, 1));
    if (p == 1) absl::SleepFor(absl::Milliseconds(500));
    std::vector<float> ends;
    EXPECT_TRUE(Sum(run, p, 1, 1, ReduceAlgorithm::kGather, &ends).ok());
  });
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log,
              AllOf(HasSubstr("all-reduce.1 (all-reduce of 4 bytes of f32, "
                              "channel 1, run 0), with process 1"),
                    HasSubstr("nothing came yet from 1")));
  SetWaitWarningAfter(before);
}

TEST_P(CommunicatorTest, OtherProgramsAreRefused) {
  auto cluster = Make(3, 1);
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  OnThreads(3, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(3, 1, p == 1 ? 5 : 6));
    const absl::Status status = run.Begin();
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("program_"));
  });
}

TEST_P(CommunicatorTest, OperationsThatDifferAreRefused) {
  auto cluster = Make(2, 1, absl::Seconds(5));
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  std::vector<absl::Status> statuses(2);
  OnThreads(2, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(2, 1));
    std::vector<float> ends;
    // A message that is longer than its receiver expects.
    statuses[p] =
        Sum(run, p, 1, p == 0 ? 100000 : 50000, ReduceAlgorithm::kChain, &ends);
  });
  const bool first_names = absl::IsInvalidArgument(statuses[0]);
  EXPECT_TRUE(first_names || absl::IsInvalidArgument(statuses[1]))
      << statuses[0] << " " << statuses[1];
  EXPECT_THAT(statuses[first_names ? 0 : 1].message(),
              AllOf(HasSubstr("400000 bytes"), HasSubstr("200000 bytes")));
  EXPECT_FALSE(statuses[first_names ? 1 : 0].ok());
}

TEST_P(CommunicatorTest, OthersLearnTheReason) {
  auto cluster = Make(2, 1, absl::Seconds(10));
  if (cluster == nullptr) GTEST_SKIP() << "the engine is not installed";
  OnThreads(2, [&](int p) {
    ProcessRun run(cluster->processes[p], Program(2, 1));
    ASSERT_TRUE(run.Begin().ok());
    if (p == 1) {
      run.Fail(absl::InternalError("the handler of device 1 failed"))
          .IgnoreError();
      return;
    }
    std::vector<float> ends;
    const absl::Status status =
        Sum(run, p, 1, 1000, ReduceAlgorithm::kChain, &ends);
    EXPECT_THAT(status.message(), HasSubstr("process 1 had given up: the "
                                            "handler of device 1 failed"));
  });
}

INSTANTIATE_TEST_SUITE_P(Engines, CommunicatorTest,
                         testing::Values("loopback", "gloo"),
                         [](const auto& info) { return info.param; });

// A transport that tells whether it has been aborted.
class NotingTransport : public Transport {
 public:
  explicit NotingTransport(std::atomic<bool>* aborted) : aborted_(aborted) {}
  int process() const override { return 0; }
  int num_processes() const override { return 2; }
  absl::StatusOr<std::unique_ptr<Transfer>> Send(
      int peer, uint64_t key, absl::Span<const char> data) override {
    return absl::UnavailableError("");
  }
  absl::StatusOr<std::unique_ptr<Transfer>> Receive(
      int peer, uint64_t key, absl::Span<char> data) override {
    return absl::UnavailableError("");
  }
  void Abort(absl::string_view reason) override { *aborted_ = true; }

 private:
  std::atomic<bool>* const aborted_;
};

TEST(FailureTest, NobodyGoesOnBeforeTheConnectionsAreClosed) {
  std::atomic<bool> aborted = false, failing = false;
  StoreFunctions functions;
  functions.put = [&](absl::string_view, absl::string_view) {
    failing = true;
    absl::SleepFor(absl::Milliseconds(100));
    return absl::OkStatus();
  };
  functions.try_get = [](absl::string_view) -> absl::StatusOr<std::string> {
    return absl::NotFoundError("");
  };
  Topology topology;
  topology.processes.resize(2, ProcessDescription::OfThis("x", 1));
  Communicator communicator(
      topology, std::make_unique<NotingTransport>(&aborted),
      std::make_shared<FunctionStore>(functions), absl::Seconds(1));
  OnThreads(2, [&](int t) {
    while (t == 1 && !failing) std::this_thread::yield();
    const absl::Status status =
        communicator.Fail(absl::InternalError(t == 0 ? "first" : "second"));
    EXPECT_TRUE(aborted) << t;
    EXPECT_EQ(status.message(), "first");
  });
}

TEST(ConnectTest, AMissingEngineIsUnimplemented) {
  CommunicatorOptions options;
  options.engine = "nosuchengine";
  const auto connected =
      Communicator::Connect(options, std::make_shared<MemoryStore>());
  EXPECT_TRUE(absl::IsUnimplemented(connected.status())) << connected.status();
  EXPECT_THAT(connected.status().message(),
              HasSubstr("engine nosuchengine cannot be loaded"));
}

TEST(ConnectTest, RefusesNumbersOutOfRange) {
  CommunicatorOptions options;
  options.process = 2;
  options.num_processes = 2;
  const auto connected =
      Communicator::Connect(options, std::make_shared<MemoryStore>());
  EXPECT_TRUE(absl::IsInvalidArgument(connected.status()));
}

}  // namespace
}  // namespace xla::distributed
