// Which events thunks, loops and groups of thunks leave.
#include "xla/backends/cpu/thunks/thunk_tracer.h"

#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "tests/backends/cpu/thunks/thunk_test_base.h"
#include "xla/backends/cpu/thunks/concurrent_thunk.h"
#include "xla/backends/cpu/thunks/scratch.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla::cpu {
namespace {

using Kind = TraceEvent::Kind;

constexpr int64_t kWorkgroups = 64;

std::unique_ptr<Thunk> Numbered(int32_t number, int64_t workgroups = 1) {
  auto thunk = std::make_unique<KernelThunk>(
      "kernel", [](char* const*, int64_t, int64_t) {}, workgroups, 1,
      std::vector<Slice>{Whole(0, TestDevices::kBytes)}, BufferUses());
  thunk->set_trace_number(number);
  return thunk;
}

// One device whose runs are recorded.
class TracedDevice {
 public:
  explicit TracedDevice(ParallelRunner* runner)
      : runner_(runner), run_(&group_, 0) {}

  absl::Status Run(const ThunkSequence& thunks) {
    scratch_.resize(PlaceScratch(thunks, runner_->num_threads(), 0) + 64);
    char* table[] = {memory_};
    run_.Begin(table, scratch_.data(), &options_, runner_);
    ThunkTracer tracer(session_, session_->AddRun({}), runner_);
    run_.Trace(&tracer, &tracer);
    DeviceRun* devices[] = {&run_};
    const absl::Status status = RunDevices(thunks, devices, nullptr);
    run_.End();
    return status;
  }

  // The events of all threads.
  std::vector<TraceEvent> Events(Kind kind) const {
    std::vector<TraceEvent> events;
    for (const RecordedTrace::Thread& thread : session_->Collect().threads) {
      std::copy_if(thread.events.begin(), thread.events.end(),
                   std::back_inserter(events),
                   [&](const TraceEvent& event) { return event.kind == kind; });
    }
    return events;
  }

 private:
  const std::shared_ptr<TraceSession> session_ = TraceSession::Start().value();
  ParallelRunner* const runner_;
  RunGroup group_{DeviceCounts{1, 1}};
  DeviceRun run_;
  Executable::RunOptions options_;
  alignas(64) char memory_[TestDevices::kBytes] = {};
  std::vector<char> scratch_;
};

TEST(ThunkTracerTest, ThunksWithANumberLeaveOneEventForEachExecution) {
  InlineRunner runner;
  TracedDevice device(&runner);
  ThunkSequence thunks;
  thunks.push_back(Numbered(3));
  thunks.push_back(Numbered(-1));
  thunks.push_back(Numbered(5));
  ASSERT_TRUE(device.Run(thunks).ok());
  ASSERT_TRUE(device.Run(thunks).ok());
  const std::vector<TraceEvent> events = device.Events(Kind::kThunk);
  ASSERT_EQ(events.size(), 4);
  EXPECT_EQ(events[0].op, 3);
  EXPECT_EQ(events[1].op, 5);
  EXPECT_LE(events[0].end_ns, events[1].begin_ns);
  EXPECT_EQ(events[0].context, events[1].context);
  EXPECT_NE(events[1].context, events[2].context);
}

TEST(ThunkTracerTest, TasksOfALoopAreThoseOfItsThunk) {
  ThreadPool pool(4);
  TracedDevice device(&pool);
  ThunkSequence thunks;
  thunks.push_back(Numbered(0));
  thunks.push_back(Numbered(1, kWorkgroups));
  // Loops of thunks that traces leave out are left out too.
  thunks.push_back(Numbered(-1, kWorkgroups));
  ASSERT_TRUE(device.Run(thunks).ok());
  int64_t indices = 0;
  for (const TraceEvent& task : device.Events(Kind::kTask)) {
    EXPECT_EQ(task.op, 1);
    indices += task.count;
  }
  EXPECT_EQ(indices, kWorkgroups);
}

TEST(ThunkTracerTest, GroupsLeaveTheEventsOfTheirThunks) {
  for (const int threads : {1, 4}) {
    ThreadPool pool(threads);
    TracedDevice device(&pool);
    ThunkSequence chains;
    for (int32_t i = 0; i < 6; ++i) chains.push_back(Numbered(i, kWorkgroups));
    ThunkSequence thunks;
    thunks.push_back(std::make_unique<ConcurrentThunk>(
        std::move(chains), std::vector<int>{0, 1, 2, 0, 1, 2}));
    ASSERT_TRUE(device.Run(thunks).ok());
    std::vector<int32_t> ops;
    for (const TraceEvent& event : device.Events(Kind::kThunk)) {
      ops.push_back(event.op);
    }
    std::sort(ops.begin(), ops.end());
    EXPECT_EQ(ops, (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
    std::vector<int64_t> indices(6);
    for (const TraceEvent& task : device.Events(Kind::kTask)) {
      indices.at(task.op) += task.count;
    }
    EXPECT_EQ(indices, std::vector<int64_t>(6, kWorkgroups));
  }
}

}  // namespace
}  // namespace xla::cpu
