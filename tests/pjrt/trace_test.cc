// Traces of whole programs: what events say, that they outlive the program, and
// that sessions may start and stop while programs are compiled and run.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "tests/pjrt/pjrt_fixture.h"
#include "xla/client/compilers.h"
#include "xla/profiler/described_trace.h"
#include "xla/proto/hlo.pb.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using Kind = TraceEvent::Kind;

constexpr char kLayer[] = R"(
HloModule layer
ENTRY e {
  x = f32[256,256] parameter(0)
  w = f32[256,256] parameter(1)
  y = f32[256,256] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, metadata={op_name="jit(f)/dot" source_file="model.py" source_line=12}
  ROOT s = f32[256,256] sort(y), dimensions={1}, to_apply=less
}
less {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT lt = pred[] compare(a, b), direction=LT
})";

class TraceTest : public PjrtTest {
 protected:
  TraceTest() { client_ = CpuClient(); }

  static std::unique_ptr<PjRtClient> CpuClient(int num_threads = 2) {
    PjRtClientOptions options;
    options.num_threads = num_threads;
    options.compiler = MakeCompiler("cpu").value();
    return GetTesseraClient(std::move(options)).value();
  }

  std::unique_ptr<PjRtBuffer> Square() {
    const std::vector<float> values(256 * 256, 1.0f);
    return client_
        ->BufferFromHostBuffer(values.data(), F32, {256, 256}, std::nullopt,
                               Semantics::kImmutableOnlyDuringCall, nullptr,
                               Space(), nullptr)
        .value();
  }

  // Runs the layer and waits for its result.
  void RunLayer(const PjRtLoadedExecutable& executable, PjRtBuffer* square) {
    auto results = Run(executable, {square, square});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_TRUE((*results)[0]->GetReadyFuture().Await().ok());
  }

  // The program of the first run that began; runs that were handed over have
  // none.
  static const TracedProgram& FirstProgram(const RecordedTrace& trace) {
    const auto run =
        std::find_if(trace.runs.begin(), trace.runs.end(),
                     [](const TracedRun& each) { return each.program; });
    EXPECT_NE(run, trace.runs.end());
    return *run->program;
  }

  static std::set<std::string> Names(const DescribedTrace& described,
                                     Kind kind) {
    std::set<std::string> names;
    for (const RecordedTrace::Thread& thread : described.trace().threads) {
      for (const TraceEvent& event : thread.events) {
        if (event.kind == kind) names.insert(described.NameOf(event));
      }
    }
    return names;
  }
};

TEST_F(TraceTest, SaysWhatRanAfterTheProgramIsGone) {
  const auto session = TraceSession::Start().value();
  auto executable = Compile(kLayer);
  const auto square = Square();
  RunLayer(*executable, square.get());
  executable = nullptr;
  client_ = nullptr;
  session->Stop();
  const RecordedTrace trace = session->Collect();
  const DescribedTrace described(trace, {});
  EXPECT_THAT(Names(described, Kind::kRun), Contains("layer"));
  EXPECT_THAT(Names(described, Kind::kCompile),
              IsSupersetOf({"compile layer", "passes", "buffers", "plan",
                            "code", "thunks"}));
  const std::vector<TracedOp> ops = FirstProgram(trace).Ops();
  const auto dot = std::find_if(ops.begin(), ops.end(), [](const TracedOp& op) {
    return op.op_name == "jit(f)/dot";
  });
  ASSERT_NE(dot, ops.end());
  EXPECT_EQ(dot->source, "model.py:12");
  EXPECT_EQ(dot->flops, 2.0 * 256 * 256 * 256);
  EXPECT_EQ(dot->bytes, 3 * 4.0 * 256 * 256);
  EXPECT_EQ(dot->computation, "e");
  EXPECT_THAT(Names(described, Kind::kThunk), Contains(dot->hlo));
  EXPECT_EQ(Names(described, Kind::kThunk).size(), ops.size());
  HloProto hlo;
  ASSERT_TRUE(hlo.ParseFromString(FirstProgram(trace).SerializedHlo()));
  EXPECT_EQ(hlo.hlo_module().name(), "layer");
  EXPECT_EQ(hlo.hlo_module().id(), FirstProgram(trace).id());
  // Two parameters, a result and the arena.
  EXPECT_EQ(hlo.buffer_assignment().buffer_allocations_size(), 4);
}

TEST_F(TraceTest, RunsAreHandedOverByTheThreadThatAskedForThem) {
  auto executable = Compile(kLayer);
  const auto square = Square();
  const auto session = TraceSession::Start().value();
  RunLayer(*executable, square.get());
  RunLayer(*executable, square.get());
  session->Stop();
  const RecordedTrace trace = session->Collect();
  std::vector<int64_t> enqueued, run;
  for (const RecordedTrace::Thread& thread : trace.threads) {
    for (const TraceEvent& event : thread.events) {
      const bool is_enqueue = event.kind == Kind::kEnqueue;
      if (!is_enqueue && event.kind != Kind::kRun) continue;
      (is_enqueue ? enqueued : run)
          .push_back(trace.runs.at(event.context).run_id);
      EXPECT_TRUE(!is_enqueue || thread.id == syscall(SYS_gettid));
    }
  }
  std::sort(run.begin(), run.end());
  EXPECT_EQ(run.size(), 2);
  EXPECT_EQ(enqueued, run);
}

TEST_F(TraceTest, ThunksLieInTheirRun) {
  auto executable = Compile(kLayer);
  const auto square = Square();
  const auto session = TraceSession::Start().value();
  RunLayer(*executable, square.get());
  session->Stop();
  const RecordedTrace trace = session->Collect();
  TraceEvent run;
  int64_t thunks = 0;
  for (const RecordedTrace::Thread& thread : trace.threads) {
    for (const TraceEvent& event : thread.events) {
      if (event.kind == Kind::kRun) run = event;
    }
  }
  for (const RecordedTrace::Thread& thread : trace.threads) {
    for (const TraceEvent& event : thread.events) {
      if (event.kind != Kind::kThunk) continue;
      ++thunks;
      EXPECT_GE(event.begin_ns, run.begin_ns);
      EXPECT_LE(event.end_ns, run.end_ns);
    }
  }
  EXPECT_GT(thunks, 0);
  EXPECT_GE(run.begin_ns, trace.begin_ns);
  EXPECT_LE(run.end_ns, trace.end_ns);
}

TEST_F(TraceTest, LargeConstantsAreNotInTheTrace) {
  auto executable = Compile(R"(
HloModule big
ENTRY e {
  i = f32[100000] iota(), iota_dimension=0
  s = f32[100000] sine(i)
  c = f32[4] constant({1, 2, 3, 4})
  p = f32[4] parameter(0)
  a = f32[4] add(p, c)
  ROOT t = (f32[100000], f32[4]) tuple(s, a)
})");
  const auto session = TraceSession::Start().value();
  const auto vector = Vector({1, 2, 3, 4});
  ASSERT_TRUE(Run(*executable, {vector.get()}).ok());
  executable = nullptr;
  EXPECT_LT(FirstProgram(session->Collect()).SerializedHlo().size(), 100'000);
}

TEST_F(TraceTest, EightThreadsRunWhileSessionsStartAndStop) {
  client_ = CpuClient(/*num_threads=*/4);
  const auto executable = Compile(kLayer);
  const auto square = Square();
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      while (!done.load()) {
        if (t == 0) {
          RunLayer(*Compile(kLayer), square.get());
        } else {
          RunLayer(*executable, square.get());
        }
      }
    });
  }
  for (int s = 0; s < 20; ++s) {
    const auto session = TraceSession::Start().value();
    RecordedTrace trace;
    const auto has_thunks = [&] {
      trace = session->Collect();
      return !Names(DescribedTrace(trace, {}), Kind::kThunk).empty();
    };
    while (!has_thunks()) std::this_thread::yield();
    session->Stop();
    // Runs that began before may still record.
    EXPECT_TRUE(has_thunks());
    EXPECT_EQ(trace.dropped_events, 0);
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace xla
