// Cancelling the runs of clients, and signals that do it.
#include "xla/pjrt/run/interrupts.h"

#include <signal.h>

#include <atomic>
#include <thread>

#include "tests/pjrt/pjrt_fixture.h"
#include "xla/base/control/cancellation.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Negates the argument after 2^40 iterations if its first element is positive,
// and at once otherwise.
constexpr char kEndlessProgram[] = R"(
HloModule loop, input_output_alias={ {}: (0, {}, may-alias) }
condition {
  t = (s64[], s64[]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  n = s64[] get-tuple-element(t), index=1
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  t = (s64[], s64[]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  n = s64[] get-tuple-element(t), index=1
  one = s64[] constant(1)
  next = s64[] add(i, one)
  ROOT r = (s64[], s64[]) tuple(next, n)
}
ENTRY e {
  x = f32[4] parameter(0)
  first = f32[1] slice(x), slice={[0:1]}
  f = f32[] reshape(first)
  none = f32[] constant(0)
  positive = pred[] compare(f, none), direction=GT
  zero = s64[] constant(0)
  many = s64[] constant(1099511627776)
  n = s64[] select(positive, many, zero)
  t = (s64[], s64[]) tuple(zero, n)
  w = (s64[], s64[]) while(t), condition=condition, body=body
  i = s64[] get-tuple-element(w), index=0
  g = f32[] convert(i)
  h = f32[] multiply(g, none)
  b = f32[4] broadcast(h), dimensions={}
  m = f32[4] negate(x)
  ROOT r = f32[4] add(m, b)
})";

std::atomic<int> calls{0};
void CountCalls(int) { ++calls; }

// Restores the handler of SIGUSR1, which stands for SIGINT here.
class InterruptsTest : public PjrtTest {
 protected:
  InterruptsTest() { sigaction(SIGUSR1, nullptr, &before_); }
  ~InterruptsTest() override { sigaction(SIGUSR1, &before_, nullptr); }

  static void Handle(void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigaction(SIGUSR1, &action, nullptr);
  }

  absl::StatusOr<Buffers> Start(const PjRtLoadedExecutable& executable,
                                PjRtBuffer* argument) {
    ExecuteOptions options;
    options.execution_mode = ExecuteOptions::ExecutionMode::kAsynchronous;
    return Run(executable, {argument}, options);
  }

 private:
  struct sigaction before_;
};

TEST_F(InterruptsTest, EndsRunsAndTheClientLives) {
  const auto loop = Compile(kEndlessProgram);
  const auto x = Vector({1, 2, 3, 4});
  const auto results = Start(*loop, x.get()).value();
  // Waits for the first.
  const auto negate = Compile(kNegateProgram);
  const auto more = Start(*negate, results[0].get()).value();
  CancellationSource::OfProcess().Cancel();
  const absl::Status status = results[0]->GetReadyFuture().Await();
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("run of loop cancelled at "));
  EXPECT_EQ(more[0]->GetReadyFuture().Await().code(),
            absl::StatusCode::kCancelled);
  EXPECT_TRUE(x->IsDeleted()) << "it was donated";
  EXPECT_EQ(results[0]->ToLiteralSync().status().code(),
            absl::StatusCode::kCancelled)
      << "the memory has no result";
  const auto y = Vector({-1, 2, 3, 4});
  const auto after = Start(*loop, y.get()).value();
  EXPECT_THAT(Floats(*after[0]), ElementsAre(1, -2, -3, -4));
}

TEST_F(InterruptsTest, TheSourceOfTheCallerCounts) {
  const auto loop = Compile(kEndlessProgram);
  const auto x = Vector({1, 2, 3, 4});
  CancellationSource source;
  const CancellationToken token(source);
  Buffers results;
  {
    const CancellationScope scope(token);
    results = Start(*loop, x.get()).value();
  }
  source.Cancel();
  EXPECT_EQ(results[0]->GetReadyFuture().Await().code(),
            absl::StatusCode::kCancelled);
}

TEST_F(InterruptsTest, SignalsCancelAndGoOnToTheEarlierHandler) {
  Handle(CountCalls);
  ASSERT_TRUE(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).ok());
  ASSERT_TRUE(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).ok()) << "again";
  const auto loop = Compile(kEndlessProgram);
  const auto x = Vector({1, 2, 3, 4});
  const auto results = Start(*loop, x.get()).value();
  const int before = calls;
  raise(SIGUSR1);
  EXPECT_EQ(calls, before + 1);
  EXPECT_EQ(results[0]->GetReadyFuture().Await().code(),
            absl::StatusCode::kCancelled);
}

struct sigaction chained;
void CallChained(int signal) {
  ++calls;
  chained.sa_sigaction(signal, nullptr, nullptr);
}

TEST_F(InterruptsTest, HandlersThatCallEachOtherEnd) {
  Handle(CountCalls);
  ASSERT_TRUE(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).ok());
  sigaction(SIGUSR1, nullptr, &chained);
  Handle(CallChained);
  ASSERT_TRUE(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).ok());
  const CancellationToken token(CancellationSource::OfProcess());
  const int before = calls;
  raise(SIGUSR1);
  EXPECT_EQ(calls, before + 1);
  EXPECT_TRUE(token.cancelled());
  raise(SIGUSR1);
  EXPECT_EQ(calls, before + 2) << "a later signal is handled again";
}

TEST_F(InterruptsTest, RefusesWhatItCannotHandle) {
  Handle(SIG_DFL);
  EXPECT_EQ(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).code(),
            absl::StatusCode::kFailedPrecondition);
  Handle(SIG_IGN);
  EXPECT_EQ(CancelOnSignal(SIGUSR1, absl::ZeroDuration()).code(),
            absl::StatusCode::kFailedPrecondition);
  for (const int signal : {-1, 0, 1000, SIGKILL}) {
    EXPECT_EQ(CancelOnSignal(signal, absl::ZeroDuration()).code(),
              absl::StatusCode::kInvalidArgument);
  }
  Handle(CountCalls);
  for (const absl::Duration grace :
       {absl::Seconds(-1), absl::Seconds(61), absl::InfiniteDuration()}) {
    EXPECT_EQ(CancelOnSignal(SIGUSR1, grace).code(),
              absl::StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace xla
