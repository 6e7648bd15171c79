// Runs and compilations that another thread ends: loops that would take months,
// on one device and on several, on both backends.
#include "xla/base/control/cancellation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/backends/compiler.h"
#include "xla/base/control/activity.h"
#include "xla/client/compilers.h"
#include "xla/core/literal/literal_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/runtime/thread_pool.h"
#include "xla/runtime/transfer_queues.h"

namespace xla {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int64_t kForever = int64_t{1} << 40;

// Loops that run n times, the argument, and return n plus an element of y,
// which $0 makes in the body of x, and which stays 0.
std::string Loop(absl::string_view body, int64_t replicas = 1) {
  return absl::Substitute(R"(
HloModule loop, replica_count=$1
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT s = f32[] add(a, b) }
condition {
  t = (s64[], s64[], f32[64,64]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  n = s64[] get-tuple-element(t), index=1
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  t = (s64[], s64[], f32[64,64]) parameter(0)
  i = s64[] get-tuple-element(t), index=0
  n = s64[] get-tuple-element(t), index=1
  x = f32[64,64] get-tuple-element(t), index=2
  one = s64[] constant(1)
  next = s64[] add(i, one)
  $0
  ROOT r = (s64[], s64[], f32[64,64]) tuple(next, n, y)
}
ENTRY e {
  n = s64[] parameter(0)
  zero = s64[] constant(0)
  f = f32[] constant(0)
  x = f32[64,64] broadcast(f), dimensions={}
  t = (s64[], s64[], f32[64,64]) tuple(zero, n, x)
  w = (s64[], s64[], f32[64,64]) while(t), condition=condition, body=body
  i = s64[] get-tuple-element(w), index=0
  last = f32[64,64] get-tuple-element(w), index=2
  corner = f32[1,1] slice(last), slice={[0:1], [0:1]}
  scalar = f32[] reshape(corner)
  none = s64[] convert(scalar)
  ROOT sum.1 = s64[] add(i, none)
})",
                          body, replicas);
}

// Counts from 0 to the second element of its state.
constexpr absl::string_view kCounting = R"(
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
)";

// One loop in one kernel, since it is so small.
std::string KernelLoop() {
  return absl::StrCat("HloModule kernel_loop\n", kCounting, R"(ENTRY e {
  n = s64[] parameter(0)
  zero = s64[] constant(0)
  t = (s64[], s64[]) tuple(zero, n)
  w = (s64[], s64[]) while(t), condition=condition, body=body
  ROOT i = s64[] get-tuple-element(w), index=0
})");
}

struct CancelledProgram {
  const char* name;
  std::string text;
};

std::vector<CancelledProgram> Programs() {
  return {
      {"InOneKernel", KernelLoop()},
      {"OfThunks", Loop("y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}")},
      // Chains of thunks that run side by side.
      {"OfConcurrentThunks", Loop(R"(
  u = f32[64,64] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  v = f32[64,64] dot(x, x), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  y = f32[64,64] add(u, v))")},
      {"OnFourDevices", Loop("y = f32[64,64] all-reduce(x), to_apply=sum", 4)},
      // A device comes to the collective only after its own long loop.
      {"OnFourDevicesOneOfWhichIsLate", absl::StrCat(R"(
HloModule late, replica_count=4
sum { a = s64[] parameter(0) b = s64[] parameter(1) ROOT s = s64[] add(a, b) }
)",
                                                     kCounting, R"(ENTRY e {
  n = s64[] parameter(0)
  id = u32[] replica-id()
  three = u32[] constant(3)
  last = pred[] compare(id, three), direction=EQ
  zero = s64[] constant(0)
  mine = s64[] select(last, n, zero)
  t = (s64[], s64[]) tuple(zero, mine)
  w = (s64[], s64[]) while(t), condition=condition, body=body
  i = s64[] get-tuple-element(w), index=0
  ROOT all = s64[] all-reduce(i), to_apply=sum
})")}};
}

class CancellationTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Executable> Compile(const std::string& text) {
    auto compiler =
        MakeCompiler(GetParam(), {.runner = &pool_, .pool = &pool_});
    CHECK_OK(compiler);
    auto executable =
        (*compiler)->Compile(ParseAndReturnUnverifiedModule(text).value());
    CHECK_OK(executable);
    return *std::move(executable);
  }

  static absl::StatusOr<std::vector<Literal>> Run(
      const Executable& executable, int64_t n,
      const Executable::RunOptions& options = {}) {
    const Literal argument = LiteralUtil::CreateR0<int64_t>(n);
    return executable.Execute(std::vector<std::vector<const Literal*>>(
                                  executable.num_devices(), {&argument}),
                              options);
  }

  // Runs while another thread cancels the run.
  static absl::Status RunCancelledly(
      const Executable& executable, int64_t n,
      const Executable::RunOptions& options = {}) {
    CancellationSource source;
    const CancellationToken token(source);
    const CancellationScope scope(token);
    std::thread other([&] { source.Cancel(); });
    const absl::Status status = Run(executable, n, options).status();
    other.join();
    return status;
  }

  ThreadPool pool_{2};
};

TEST_P(CancellationTest, EndsLoopsAndTheExecutableLives) {
  for (const CancelledProgram& program : Programs()) {
    SCOPED_TRACE(program.name);
    const std::unique_ptr<Executable> executable = Compile(program.text);
    for (int i = 0; i < 3; ++i) {
      const absl::Status status = RunCancelledly(*executable, kForever);
      EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(absl::StrCat("run of ", executable->module().name(),
                                         " cancelled at ")));
      const auto result = Run(*executable, 5);
      ASSERT_TRUE(result.ok()) << result.status();
      for (const Literal& literal : *result) {
        EXPECT_EQ(literal.GetFirstElement<int64_t>(), 5);
      }
    }
  }
}

TEST_P(CancellationTest, DoesNotBeginWhatIsCancelled) {
  const std::unique_ptr<Executable> executable = Compile(KernelLoop());
  CancellationSource source;
  const CancellationToken token(source);
  source.Cancel();
  const CancellationScope scope(token);
  EXPECT_EQ(Run(*executable, 1).status().code(), absl::StatusCode::kCancelled);
}

TEST_P(CancellationTest, OtherSourcesDoNotEndIt) {
  const std::unique_ptr<Executable> executable = Compile(KernelLoop());
  CancellationSource source;
  const CancellationToken token(source);
  const CancellationScope scope(token);
  std::thread other([] { CancellationSource::OfProcess().Cancel(); });
  const auto result = Run(*executable, 1000);
  other.join();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[0].GetFirstElement<int64_t>(), 1000);
}

TEST_P(CancellationTest, EndsAWaitForTheHost) {
  const std::unique_ptr<Executable> executable = Compile(R"(
HloModule waits
ENTRY e {
  n = s64[] parameter(0)
  first = token[] after-all()
  fed = (s64[], token[]) infeed(first)
  m = s64[] get-tuple-element(fed), index=0
  ROOT sum = s64[] add(n, m)
})");
  TransferQueues queues(absl::InfiniteDuration());
  Executable::RunOptions options;
  options.queues = {&queues};
  const absl::Status status = RunCancelledly(*executable, 1, options);
  EXPECT_EQ(status.code(), absl::StatusCode::kCancelled) << status;
  queues.TransferToInfeed(LiteralUtil::CreateR0<int64_t>(2));
  const auto result = Run(*executable, 1, options);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[0].GetFirstElement<int64_t>(), 3);
}

TEST_P(CancellationTest, EndsOneOfTwoRunsAtTheSameTime) {
  const std::unique_ptr<Executable> executable = Compile(KernelLoop());
  CancellationSource source;
  const CancellationToken token(source);
  absl::Status cancelled;
  std::thread other([&] {
    const CancellationScope scope(token);
    cancelled = Run(*executable, kForever).status();
  });
  const auto result = Run(*executable, 100);
  source.Cancel();
  other.join();
  EXPECT_EQ(cancelled.code(), absl::StatusCode::kCancelled);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ((*result)[0].GetFirstElement<int64_t>(), 100);
}

INSTANTIATE_TEST_SUITE_P(Backends, CancellationTest,
                         testing::Values("cpu", "evaluator"),
                         [](const auto& info) { return info.param; });

TEST(CompilationTest, IsCancelledBetweenItsParts) {
  ThreadPool pool(2);
  const auto compiler = MakeCompiler("cpu", {.runner = &pool, .pool = &pool});
  ASSERT_TRUE(compiler.ok());
  CancellationSource source;
  const CancellationToken token(source);
  source.Cancel();
  {
    const CancellationScope scope(token);
    const absl::Status status =
        (*compiler)
            ->Compile(ParseAndReturnUnverifiedModule(KernelLoop()).value())
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kCancelled);
    EXPECT_THAT(std::string(status.message()),
                StartsWith("compilation of kernel_loop cancelled before "));
  }
  EXPECT_TRUE(
      (*compiler)
          ->Compile(ParseAndReturnUnverifiedModule(KernelLoop()).value())
          .ok());
}

TEST(CompilationTest, TellsWhatItDoes) {
  ThreadPool pool(2);
  const auto compiler = MakeCompiler("cpu", {.runner = &pool, .pool = &pool});
  ASSERT_TRUE(compiler.ok());
  Activity activity;
  const ActivityScope scope(&activity);
  const auto executable = (*compiler)->Compile(
      ParseAndReturnUnverifiedModule(
          Loop("y = f32[64,64] dot(x, x), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}"))
          .value());
  ASSERT_TRUE(executable.ok());
  EXPECT_EQ(activity.Get().phase, "thunks");
  EXPECT_GT(activity.Get().instructions, 5);
  const Literal n = LiteralUtil::CreateR0<int64_t>(1000);
  ASSERT_TRUE((*executable)->Execute({{&n}}, {}).ok());
  EXPECT_EQ(activity.Get().phase, "run");
  EXPECT_EQ(activity.Get().detail, "loop");
  EXPECT_GT(activity.Get().done, 1000) << "each iteration has thunks";
}

}  // namespace
}  // namespace xla
