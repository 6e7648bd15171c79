// Threads, memory and files of a client: who runs loops, how many threads at a
// time, how much freed memory is kept, and where compiled programs are.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/backends/cache/cache_test_folder.h"
#include "tests/pjrt/pjrt_fixture.h"
#include "xla/backends/cache/compilation_cache.h"
#include "xla/client/client_library.h"
#include "xla/client/compilers.h"
#include "xla/runtime/block_cache.h"

namespace xla {
namespace {

// Counts loops and runs them on the calling thread.
class CountingRunner : public ParallelRunner {
 public:
  int num_threads() const override { return 2; }
  void ParallelFor(int64_t count,
                   absl::FunctionRef<void(int64_t)> fn) override {
    ++loops_;
    for (int64_t i = count - 1; i >= 0; --i) fn(i);
  }
  int loops() const { return loops_; }

 private:
  std::atomic<int> loops_{0};
};

// While it lives, clients compile with this backend.
class BackendVariable {
 public:
  explicit BackendVariable(const char* name) {
    if (const char* before = std::getenv(kName)) before_ = before;
    setenv(kName, name, 1);
  }
  ~BackendVariable() {
    if (before_.has_value()) {
      setenv(kName, before_->c_str(), 1);
    } else {
      unsetenv(kName);
    }
  }

 private:
  static constexpr char kName[] = "TESSERA_BACKEND";
  std::optional<std::string> before_;
};

constexpr char kLargeProgram[] = R"(
HloModule large
ENTRY e {
  x = f32[] parameter(0)
  b = f32[3000000] broadcast(x), dimensions={}
  i = f32[3000000] iota(), iota_dimension=0
  y = f32[3000000] multiply(b, i)
  ROOT n = f32[3000000] exponential(y)
})";

class ResourcesTest : public PjrtTest {
 protected:
  std::unique_ptr<PjRtBuffer> Scalar(float value) {
    return client_
        ->BufferFromHostBuffer(&value, F32, {}, std::nullopt,
                               Semantics::kImmutableOnlyDuringCall, nullptr,
                               Space(), nullptr)
        .value();
  }
};

TEST_F(ResourcesTest, TheHostMayRunLoopsItself) {
  const BackendVariable cpu("cpu");
  CountingRunner runner;
  PjRtClientOptions options;
  options.runner = &runner;
  client_ = GetTesseraClient(std::move(options)).value();
  auto executable = Compile(kLargeProgram);
  const int compiling = runner.loops();
  auto results = Run(*executable, {Scalar(0).get()}).value();
  EXPECT_EQ(Floats(*results[0])[2999999], 1);
  EXPECT_GT(runner.loops(), compiling);
  EXPECT_EQ(client_->thread_pool()->num_threads(), DefaultThreadCount());
}

TEST_F(ResourcesTest, ManyProgramsOnTwoThreads) {
  const BackendVariable cpu("cpu");
  client_ = MakeClient(/*num_devices=*/1, /*num_threads=*/2);
  auto executable = Compile(kLargeProgram);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        auto results = Run(*executable, {Scalar(0).get()}).value();
        EXPECT_EQ(Floats(*results[0])[1234567], 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(client_->thread_pool()->started_threads(), 2);
}

TEST_F(ResourcesTest, FreedMemoryIsKeptAndGivenBack) {
  if (!BlockCache::kEnabled) GTEST_SKIP() << "off under address sanitizer";
  PjRtClientOptions options;
  options.keep_bytes = 64 << 20;
  client_ = GetTesseraClient(std::move(options)).value();
  client_->ReleaseUnusedMemory();
  auto buffer = Vector(std::vector<float>(1 << 20));
  EXPECT_EQ(client_->ReleaseUnusedMemory(), 0);
  buffer.reset();
  EXPECT_EQ(BlockCache::Global().kept_bytes(), 4 << 20);
  buffer = Vector(std::vector<float>(1 << 20));
  EXPECT_EQ(BlockCache::Global().kept_bytes(), 0);
  buffer.reset();
  EXPECT_EQ(client_->ReleaseUnusedMemory(), 4 << 20);
  BlockCache::Global().SetLimit(BlockCache::DefaultLimit());

  PjRtClientOptions wrong;
  wrong.keep_bytes = -2;
  EXPECT_FALSE(GetTesseraClient(std::move(wrong)).ok());
}

TEST_F(ResourcesTest, ClientsShareACompilationCache) {
  const BackendVariable cpu("cpu");
  const CacheTestFolder folder;
  const CompilationCacheOptions cache = {.folder = folder.path()};
  for (const int64_t hits : {0, 1}) {
    PjRtClientOptions options;
    options.compilation_cache = cache;
    client_ = GetTesseraClient(std::move(options)).value();
    Compile(kLargeProgram);
    EXPECT_EQ(client_->compiler()->compilation_cache()->statistics().hits,
              hits);
  }
  LocalClientOptions options;
  options.set_compilation_cache(cache);
  LocalClient* const local =
      ClientLibrary::GetOrCreateLocalClient(options).value();
  const XlaComputation computation(Parse(kLargeProgram)->ToProto());
  const Shape shape = ShapeUtil::MakeShape(F32, {});
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(
        local->Compile(computation, {&shape}, ExecutableBuildOptions()).ok());
  }
  EXPECT_GE(local->backend().compiler()->compilation_cache()->statistics().hits,
            1);
  ClientLibrary::DestroyLocalInstances();

  PjRtClientOptions wrong;
  wrong.compilation_cache = {.folder = folder.path(), .max_bytes = -1};
  EXPECT_EQ(GetTesseraClient(std::move(wrong)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(ResourcesTest, LocalClientsTakeThreadsAndARunner) {
  const BackendVariable cpu("cpu");
  CountingRunner runner;
  LocalClientOptions options;
  options.set_intra_op_parallelism_threads(3);
  LocalClient* three = ClientLibrary::GetOrCreateLocalClient(options).value();
  EXPECT_EQ(ClientLibrary::GetOrCreateLocalClient(options).value(), three);
  options.set_parallel_runner(&runner);
  LocalClient* own = ClientLibrary::GetOrCreateLocalClient(options).value();
  EXPECT_NE(own, three);

  auto module = Parse(kLargeProgram);
  const XlaComputation computation(module->ToProto());
  const Literal zero = LiteralUtil::CreateR0<float>(0);
  for (LocalClient* client : {three, own}) {
    const Literal result =
        client
            ->ExecuteAndTransfer(computation,
                                 {client->TransferToServer(zero).value().get()})
            .value();
    EXPECT_EQ(result.data<float>()[2999999], 1);
  }
  EXPECT_GT(runner.loops(), 0);
  ClientLibrary::DestroyLocalInstances();
}

TEST(CompilersTest, AWrongBackendIsAnError) {
  const BackendVariable wrong("gpu");
  EXPECT_FALSE(GetTesseraClient().ok());
  LocalClientOptions options;
  options.set_intra_op_parallelism_threads(5);
  EXPECT_FALSE(ClientLibrary::GetOrCreateLocalClient(options).ok());
}

}  // namespace
}  // namespace xla
