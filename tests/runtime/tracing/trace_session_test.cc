// What a session keeps of several threads' events, and how it ends.
#include "xla/runtime/tracing/trace_session.h"

#include <atomic>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using Kind = TraceEvent::Kind;

class NamedProgram : public TracedProgram {
 public:
  explicit NamedProgram(std::string name) : name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  int64_t id() const override { return 7; }
  std::vector<TracedOp> Ops() const override { return {}; }
  std::string SerializedHlo() const override { return ""; }

 private:
  const std::string name_;
};

TracedRun RunOfProgram(int64_t run_id = 0) {
  return {std::make_shared<NamedProgram>("program"), run_id, 0};
}

TraceEvent Event(uint32_t context, int64_t begin_ns, int64_t end_ns,
                 Kind kind = Kind::kThunk) {
  return {.begin_ns = begin_ns,
          .end_ns = end_ns,
          .context = context,
          .op = 0,
          .count = 1,
          .kind = kind};
}

TEST(TraceSessionTest, RecordsWhileItIsStarted) {
  EXPECT_EQ(TraceSession::Recording(), nullptr);
  std::shared_ptr<TraceSession> session = TraceSession::Start().value();
  EXPECT_EQ(TraceSession::Recording(), session);
  EXPECT_THAT(TraceSession::Start().status().message(),
              HasSubstr("another trace"));
  session->Stop();
  session->Stop();
  EXPECT_EQ(TraceSession::Recording(), nullptr);
  // One that was forgotten ends with its last reference.
  session = TraceSession::Start().value();
  session = nullptr;
  EXPECT_EQ(TraceSession::Recording(), nullptr);
  EXPECT_TRUE(TraceSession::Start().ok());
}

TEST(TraceSessionTest, OuterEventsComeFirst) {
  const auto session = TraceSession::Start().value();
  const uint32_t run = session->AddRun(RunOfProgram());
  // Events are recorded when they end.
  session->Record(Event(run, 10, 20));
  session->Record(Event(run, 30, 40));
  session->Record(Event(run, 10, 40, Kind::kRun));
  const RecordedTrace trace = session->Collect();
  ASSERT_EQ(trace.threads.size(), 1);
  const std::vector<TraceEvent>& events = trace.threads[0].events;
  ASSERT_EQ(events.size(), 3);
  EXPECT_EQ(events[0].kind, Kind::kRun);
  EXPECT_EQ(events[1].begin_ns, events[0].begin_ns);
  EXPECT_EQ(events[2].begin_ns, events[1].begin_ns + 20);
  EXPECT_EQ(trace.dropped_events, 0);
}

TEST(TraceSessionTest, OuterEventsOfTheSameTimesComeFirst) {
  const auto session = TraceSession::Start().value();
  const uint32_t run = session->AddRun(RunOfProgram());
  session->Record(Event(run, 10, 20));
  session->Record(Event(run, 10, 20, Kind::kRun));
  EXPECT_EQ(session->Collect().threads.at(0).events.at(0).kind, Kind::kRun);
}

TEST(TraceSessionTest, IndicesOfALoopThatFollowEachOtherAreOneEvent) {
  const auto session = TraceSession::Start().value();
  const uint32_t run = session->AddRun(RunOfProgram());
  const uint64_t loop = session->NewLoop();
  session->RecordTask(loop, Event(run, 1000, 2000, Kind::kTask));
  session->RecordTask(loop, Event(run, 2010, 3000, Kind::kTask));
  // After a pause.
  session->RecordTask(loop, Event(run, 9000, 9500, Kind::kTask));
  // Of another loop.
  session->RecordTask(session->NewLoop(), Event(run, 9510, 9600, Kind::kTask));
  // After something else of the thread.
  session->Record(Event(run, 9610, 9700));
  session->RecordTask(loop, Event(run, 9710, 9800, Kind::kTask));
  const RecordedTrace trace = session->Collect();
  const std::vector<TraceEvent>& events = trace.threads.at(0).events;
  ASSERT_EQ(events.size(), 5);
  EXPECT_EQ(events[0].end_ns - events[0].begin_ns, 2000);
  EXPECT_EQ(events[0].count, 2);
  for (size_t i = 1; i < events.size(); ++i) EXPECT_EQ(events[i].count, 1);
}

TEST(TraceSessionTest, NamesHaveOneNumberEach) {
  const auto session = TraceSession::Start().value();
  const uint32_t passes = session->AddName("passes");
  EXPECT_EQ(session->AddName("passes"), passes);
  EXPECT_NE(session->AddName("link"), passes);
  EXPECT_EQ(session->Collect().names[passes], "passes");
}

TEST(TraceSessionTest, CountsWhatDoesNotFit) {
  constexpr int kEvents = 100'000;
  const auto session = TraceSession::Start(/*max_bytes=*/300'000).value();
  const uint32_t run = session->AddRun(RunOfProgram());
  for (int i = 0; i < kEvents; ++i) session->Record(Event(run, i, i + 1));
  const RecordedTrace trace = session->Collect();
  const int64_t kept = trace.threads.at(0).events.size();
  EXPECT_GT(kept, 1000);
  EXPECT_LE(kept * static_cast<int64_t>(sizeof(TraceEvent)), 300'000);
  EXPECT_EQ(trace.dropped_events, kEvents - kept);
}

TEST(TraceSessionTest, CountsTheEventsOfRunsThatDoNotFit) {
  const auto session = TraceSession::Start(/*max_bytes=*/70'000).value();
  uint32_t run = 0;
  session->Record(Event(session->AddRun(RunOfProgram()), 1, 2));
  while (run != TraceSession::kNoContext) run = session->AddRun(RunOfProgram());
  session->Record(Event(run, 3, 4));
  const RecordedTrace trace = session->Collect();
  EXPECT_EQ(trace.threads.at(0).events.size(), 1);
  EXPECT_EQ(trace.dropped_events, 1);
}

TEST(TraceSessionTest, LateEventsBelongToTheSessionThatTheirRunBeganIn) {
  const auto first = TraceSession::Start().value();
  const uint32_t run = first->AddRun(RunOfProgram(1));
  first->Stop();
  const auto second = TraceSession::Start().value();
  second->Record(Event(second->AddRun(RunOfProgram(2)), 1, 2));
  first->Record(Event(run, 3, 4));
  EXPECT_EQ(first->Collect().threads.at(0).events.size(), 1);
  EXPECT_EQ(second->Collect().threads.at(0).events.size(), 1);
  EXPECT_EQ(second->Collect().runs.at(0).run_id, 2);
}

TEST(TraceSessionTest, ATraceKeepsItsPrograms) {
  auto session = TraceSession::Start().value();
  auto program = std::make_shared<NamedProgram>("kept");
  const std::weak_ptr<NamedProgram> watched = program;
  session->AddRun({std::move(program), 0, 0});
  RecordedTrace trace = session->Collect();
  session = nullptr;
  ASSERT_FALSE(watched.expired());
  EXPECT_EQ(trace.runs.at(0).program->name(), "kept");
  trace = RecordedTrace();
  EXPECT_TRUE(watched.expired());
}

// Threads record while sessions start, stop and are read.
TEST(TraceSessionTest, EightThreadsAndManySessions) {
  constexpr int kThreads = 8;
  constexpr int kSessions = 10;
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      while (!done.load()) {
        const auto session = TraceSession::Recording();
        if (session == nullptr) {
          std::this_thread::yield();
          continue;
        }
        const uint32_t run = session->AddRun(RunOfProgram());
        const uint64_t loop = session->NewLoop();
        for (int i = 0; i < 100; ++i) {
          TraceEvent event = Event(run, TraceNow(), 0, Kind::kTask);
          event.end_ns = TraceNow();
          session->RecordTask(loop, event);
          session->Record(event);
        }
        const TraceSpan span(session, "phase");
      }
    });
  }
  int64_t events = 0;
  for (int s = 0; s < kSessions; ++s) {
    const auto session = TraceSession::Start(/*max_bytes=*/4 << 20).value();
    RecordedTrace trace;
    while (trace.threads.empty()) trace = session->Collect();
    session->Stop();
    trace = session->Collect();
    for (const RecordedTrace::Thread& thread : trace.threads) {
      events += thread.events.size();
      for (const TraceEvent& event : thread.events) {
        EXPECT_GE(event.end_ns, event.begin_ns);
        const size_t contexts = event.kind == Kind::kCompile
                                    ? trace.names.size()
                                    : trace.runs.size();
        EXPECT_LT(event.context, contexts);
      }
    }
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(events, 0);
}

}  // namespace
}  // namespace xla
