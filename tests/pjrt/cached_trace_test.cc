// Eight threads compile through one folder of the compilation cache and run
// what they get, while sessions of the profiler record it. Sanitizers run it
// too.
#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/backends/cache/cache_test_folder.h"
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/client/compilers.h"
#include "xla/runtime/tracing/trace_session.h"

namespace xla {
namespace {

constexpr int kTracingThreads = 8;
constexpr int kTracedPrograms = 6;
constexpr int kTracingRounds = 2 * kTracedPrograms;

class CachedTraceTest : public PjrtTest {
 protected:
  std::unique_ptr<PjRtClient> ClientWithCache() const {
    PjRtClientOptions options;
    options.num_threads = 4;
    options.compiler =
        MakeCompiler("cpu", {}, {.folder = folder_.path()}).value();
    return GetTesseraClient(std::move(options)).value();
  }

  // Adds 100 + `number` to four elements, one after another.
  static std::string Program(int number) {
    return absl::StrReplaceAll(
        kLoopProgram,
        {{"HloModule loop", absl::StrCat("HloModule loop", number)},
         {"constant(100)", absl::StrCat("constant(", 100 + number, ")")}});
  }

  static void CompileAndRun(PjRtClient& client, int number) {
    auto executable = client.CompileAndLoad(Parse(Program(number)), {});
    ASSERT_TRUE(executable.ok()) << executable.status();
    const std::vector<float> values = {1, 2, 3, 4};
    auto x = client.BufferFromHostBuffer(
        values.data(), F32, {4}, std::nullopt,
        Semantics::kImmutableOnlyDuringCall, nullptr,
        client.devices()[0]->memory_spaces()[0], nullptr);
    ASSERT_TRUE(x.ok()) << x.status();
    auto results = Run(**executable, {x->get()});
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(Floats(*(*results)[0])[3], 104 + number);
  }

  const CacheTestFolder folder_;
};

TEST_F(CachedTraceTest, EightThreadsShareAFolderWhileSessionsRecord) {
  // Each client has a cache of its own, so that the two share only the files.
  const std::unique_ptr<PjRtClient> clients[] = {ClientWithCache(),
                                                 ClientWithCache()};
  std::atomic<int> working{kTracingThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kTracingThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < kTracingRounds; ++round) {
        CompileAndRun(*clients[t % 2], (t + round) % kTracedPrograms);
      }
      --working;
    });
  }
  while (working > 0) {
    const auto session = TraceSession::Start().value();
    std::this_thread::yield();
    session->Stop();
    EXPECT_EQ(session->Collect().dropped_events, 0);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(folder_.Entries().size(), kTracedPrograms);

  // What the folder holds is traced like a program that was just compiled.
  const auto session = TraceSession::Start().value();
  CompileAndRun(*ClientWithCache(), 0);
  session->Stop();
  const RecordedTrace trace = session->Collect();
  EXPECT_TRUE(std::any_of(
      trace.runs.begin(), trace.runs.end(), [](const TracedRun& run) {
        return run.program != nullptr && run.program->name() == "loop0";
      }));
}

}  // namespace
}  // namespace xla
