// Collectives whose devices go on: in one process and between several, for all
// numbers of threads, in loops, and when another process fails.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "tests/distributed/cluster.h"
#include "xla/backends/cpu/thunks/collectives/move_collectives.h"
#include "xla/backends/cpu/thunks/collectives/reduce_collectives.h"
#include "xla/backends/cpu/thunks/thunk_sequence_builder.h"
#include "xla/core/shape_util.h"

namespace xla::cpu {
namespace {

using distributed::Cluster;
using distributed::ProcessRun;
using distributed::ProgramIdentity;
using ::testing::HasSubstr;

constexpr int64_t kDevices = 4;
constexpr int64_t kElements = 1000;
constexpr int64_t kArrayBytes = 4 * kElements;

// Allocations of the program, by what they hold.
enum Place { kX, kSum, kWork, kWorkSum, kGathered, kTotal, kState, kCount };

struct State {
  bool goes_on;
  int32_t iteration;
};

// A function of which the order of its operands shows in the last bits.
void AddThird(char* const* a, int64_t begin, int64_t end) {
  const auto* x = reinterpret_cast<const float*>(a[0]);
  const auto* y = reinterpret_cast<const float*>(a[1]);
  auto* result = reinterpret_cast<float*>(a[2]);
  for (int64_t i = begin; i < end; ++i) result[i] = x[i] / 3 + y[i];
}

float* FloatsAt(char* const* a, Place place) {
  return reinterpret_cast<float*>(a[place]);
}

// Reads what the first collective reads, beside it.
void DoWork(char* const* a, int64_t, int64_t) {
  for (int64_t i = 0; i < kElements; ++i) {
    FloatsAt(a, kWork)[i] = FloatsAt(a, kX)[i] * 0.7f + 1;
  }
}

void Next(char* const* a, int64_t, int64_t) {
  for (int64_t i = 0; i < kElements; ++i) {
    FloatsAt(a, kTotal)[i] += FloatsAt(a, kSum)[i] * 0.3f +
                              FloatsAt(a, kGathered)[kDevices * i] * 0.1f;
    FloatsAt(a, kX)[i] =
        FloatsAt(a, kX)[i] * 0.9f + FloatsAt(a, kSum)[i] * 0.01f;
  }
  auto* state = reinterpret_cast<State*>(a[kState]);
  state->goes_on = ++state->iteration < 3;
}

CollectiveSite SiteBetween(const std::string& op, Place from, Place to,
                           int64_t result_bytes, const void* start) {
  return {.name = absl::StrCat(op, ".", from),
          .op = op == "all-reduce" ? "all-reduce" : "all-gather",
          .channel = 0,
          .membership = Membership::Create(
              ReplicaGroups(), COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA,
              {kDevices, 1}),
          .shapes = {ShapeUtil::MakeShape(F32, {kElements})},
          .operands = {Whole(from, kArrayBytes)},
          .results = {Whole(to, result_bytes)},
          .start = start};
}

std::unique_ptr<Thunk> OnAll(KernelFunction function) {
  std::vector<Slice> arrays;
  for (int i = 0; i < kCount; ++i) {
    arrays.push_back(Whole(i, kDevices * kArrayBytes));
  }
  return std::make_unique<KernelThunk>("kernel", function, 1, 1,
                                       std::move(arrays), BufferUses());
}

std::unique_ptr<Thunk> DoneOf(const char* start, Place from, Place to,
                              int64_t bytes) {
  return std::make_unique<CollectiveDoneThunk>(
      absl::StrCat("done.", start), start,
      std::vector<Slice>{Whole(from, kArrayBytes)},
      std::vector<Slice>{Whole(to, bytes)});
}

// An all-reduce and an all-gather beside work and another all-reduce, three
// times.
ThunkSequence Program(bool is_asynchronous) {
  static constexpr char kFirst[] = "first", kSecond[] = "second";
  const Reducer reducer(AddThird, F32);
  ThunkSequenceBuilder builder;
  const ThunkSequenceBuilder::Label test = builder.NewLabel();
  const ThunkSequenceBuilder::Label end = builder.NewLabel();
  const int64_t gathered = kDevices * kArrayBytes;
  builder.Bind(test);
  builder.Add(std::make_unique<AllReduceThunk>(
      SiteBetween("all-reduce", kX, kSum, kArrayBytes,
                  is_asynchronous ? kFirst : nullptr),
      reducer));
  builder.Add(OnAll(DoWork));
  builder.Add(std::make_unique<AllReduceThunk>(
      SiteBetween("all-reduce", kWork, kWorkSum, kArrayBytes, nullptr),
      reducer));
  builder.Add(std::make_unique<AllGatherThunk>(
      SiteBetween("all-gather", kWorkSum, kGathered, gathered,
                  is_asynchronous ? kSecond : nullptr),
      0,
      std::vector<Shape>{ShapeUtil::MakeShape(F32, {kDevices * kElements})}));
  if (is_asynchronous) {
    builder.Add(DoneOf(kFirst, kX, kSum, kArrayBytes));
    builder.Add(DoneOf(kSecond, kWorkSum, kGathered, gathered));
  }
  builder.Add(OnAll(Next));
  builder.AddJumpIfFalse("loop", {kState, 0, 1}, end);
  builder.AddJump("loop", test);
  builder.Bind(end);
  return *std::move(builder).Build();
}

// Runs the program on fresh devices; returns the results of device `from` up to
// `to` in `totals`.
absl::Status RunOn(const ThunkSequence& program, ThreadPool* pool,
                   ProcessRun* processes, int64_t from, int64_t to,
                   std::vector<std::vector<float>>& totals) {
  TestDevices devices(DeviceCounts{kDevices, 1}, kCount,
                      kDevices * kArrayBytes);
  devices.options().processes = processes;
  for (int64_t d = 0; d < kDevices; ++d) {
    for (int64_t i = 0; i < kElements; ++i) {
      devices.At<float>(d, kX, i) =
          static_cast<float>((i * 7919 + d * 104729) % 1009) / 37;
    }
  }
  absl::Status status = devices.Run(program, pool);
  for (int64_t d = from; d < to; ++d) {
    const float* total = &devices.At<float>(d, kTotal);
    totals[d].assign(total, total + kElements);
  }
  return status;
}

std::vector<std::vector<float>> Synchronous() {
  std::vector<std::vector<float>> totals(kDevices);
  EXPECT_TRUE(
      RunOn(Program(false), nullptr, nullptr, 0, kDevices, totals).ok());
  return totals;
}

std::shared_ptr<const ProgramIdentity> Identity(int processes) {
  auto program = std::make_shared<ProgramIdentity>();
  program->name = "program";
  program->fingerprint = 7;
  for (int64_t d = 0; d < kDevices; ++d) {
    program->process_of_device.push_back(
        static_cast<int>(d * processes / kDevices));
  }
  return program;
}

TEST(AsynchronousCollectivesTest, InOneProcess) {
  const ThunkSequence program = Program(true);
  const auto expected = Synchronous();
  for (int threads = 0; threads <= 4; ++threads) {
    std::unique_ptr<ThreadPool> pool;
    if (threads > 0) pool = std::make_unique<ThreadPool>(threads);
    for (int i = 0; i < 20; ++i) {
      std::vector<std::vector<float>> totals(kDevices);
      const absl::Status status =
          RunOn(program, pool.get(), nullptr, 0, kDevices, totals);
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(totals, expected) << threads << " threads";
    }
  }
}

TEST(AsynchronousCollectivesTest, BetweenProcesses) {
  const ThunkSequence program = Program(true);
  const auto expected = Synchronous();
  for (const int processes : {2, 4}) {
    Cluster cluster("loopback", processes, kDevices / processes,
                    absl::Seconds(60));
    const auto identity = Identity(processes);
    for (int threads = 0; threads <= 3; ++threads) {
      std::vector<std::vector<float>> totals(kDevices);
      distributed::OnThreads(processes, [&](int p) {
        std::unique_ptr<ThreadPool> pool;
        if (threads > 0) pool = std::make_unique<ThreadPool>(threads);
        const int64_t each = kDevices / processes;
        for (int i = 0; i < 20; ++i) {
          ProcessRun run(cluster.processes[p], identity);
          absl::Status status = RunOn(program, pool.get(), &run, p * each,
                                      (p + 1) * each, totals);
          if (status.ok()) status = run.Finish();
          ASSERT_TRUE(status.ok()) << status;
        }
      });
      ASSERT_EQ(totals, expected)
          << processes << " processes, " << threads << " threads";
    }
  }
}

// Process 1 gives up, while the devices of process 0 wait for its part.
TEST(AsynchronousCollectivesTest, OtherProcessFails) {
  for (const int threads : {1, 2}) {
    Cluster cluster("loopback", 2, kDevices / 2, absl::Seconds(60));
    const ThunkSequence program = Program(true);
    ThreadPool pool(threads);
    absl::Status status;
    distributed::OnThreads(2, [&](int p) {
      ProcessRun run(cluster.processes[p], Identity(2));
      if (p == 1) {
        (void)run.Fail(absl::AbortedError("out of order"));
        return;
      }
      std::vector<std::vector<float>> totals(kDevices);
      status = RunOn(program, &pool, &run, 0, kDevices / 2, totals);
    });
    EXPECT_THAT(std::string(status.message()), HasSubstr("out of order"));
  }
}

}  // namespace
}  // namespace xla::cpu
