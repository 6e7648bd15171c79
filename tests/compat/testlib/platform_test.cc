// Headers of tsl and others that tests written for XLA include.
#include "tsl/platform/platform.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tsl/platform/env.h"
#include "tsl/platform/errors.h"
#include "tsl/platform/macros.h"
#include "tsl/platform/path.h"
#include "tsl/platform/test.h"
#include "tsl/platform/test_benchmark.h"
#include "tsl/platform/threadpool.h"
#include "xla/bit_cast.h"
#include "xla/maybe_owning.h"
#include "xla/tsl/lib/core/status_test_util.h"
#include "xla/xla_data.pb.h"

namespace tsl {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// A folder that is empty at first, and removed at the end.
class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(env_->LocalTempFilename(&folder_));
    TF_ASSERT_OK(env_->CreateDir(folder_));
  }
  void TearDown() override {
    int64_t files = 0;
    int64_t folders = 0;
    TF_EXPECT_OK(env_->DeleteRecursively(folder_, &files, &folders));
    EXPECT_EQ(files + folders, 0);
  }
  std::string Path(absl::string_view name) const {
    return io::JoinPath(folder_, name);
  }

  Env* const env_ = Env::Default();
  std::string folder_;
};

TEST_F(FilesTest, WholeFiles) {
  const std::string path = Path("a.txt");
  EXPECT_TRUE(absl::IsNotFound(env_->FileExists(path)));
  std::string contents;
  EXPECT_TRUE(absl::IsNotFound(ReadFileToString(env_, path, &contents)));
  TF_ASSERT_OK(WriteStringToFile(env_, path, "one\n"));
  TF_ASSERT_OK(AppendStringToFile(env_, path, "two\n"));
  TF_ASSERT_OK(ReadFileToString(env_, path, &contents));
  EXPECT_EQ(contents, "one\ntwo\n");
  uint64_t size = 0;
  TF_ASSERT_OK(env_->GetFileSize(path, &size));
  EXPECT_EQ(size, 8);
  FileStatistics statistics;
  TF_ASSERT_OK(env_->Stat(path, &statistics));
  EXPECT_EQ(statistics.length, 8);
  EXPECT_FALSE(statistics.is_directory);
  EXPECT_NEAR(statistics.mtime_nsec / 1e9, env_->NowNanos() / 1e9, 100);
  EXPECT_FALSE(ReadFileToString(env_, folder_, &contents).ok());
  TF_ASSERT_OK(ReadFileToString(env_, "/proc/self/stat", &contents));
  EXPECT_FALSE(contents.empty());
}

TEST_F(FilesTest, Folders) {
  TF_ASSERT_OK(env_->RecursivelyCreateDir(Path("x/y")));
  TF_ASSERT_OK(WriteStringToFile(env_, Path("x/b1.hlo"), ""));
  TF_ASSERT_OK(env_->CopyFile(Path("x/b1.hlo"), Path("x/b2.hlo")));
  TF_ASSERT_OK(env_->RenameFile(Path("x/b2.hlo"), Path("x/c.hlo")));
  TF_EXPECT_OK(env_->IsDirectory(Path("x")));
  EXPECT_TRUE(errors::IsFailedPrecondition(env_->IsDirectory(Path("x/c.hlo"))));
  std::vector<std::string> names;
  TF_ASSERT_OK(env_->GetChildren(Path("x"), &names));
  EXPECT_THAT(names, UnorderedElementsAre("b1.hlo", "c.hlo", "y"));
  TF_ASSERT_OK(env_->GetMatchingPaths(Path("*/?*.hlo"), &names));
  EXPECT_THAT(names, ElementsAre(Path("x/b1.hlo"), Path("x/c.hlo")));
  TF_ASSERT_OK(env_->GetMatchingPaths(Path("*.none"), &names));
  EXPECT_THAT(names, IsEmpty());
  EXPECT_TRUE(env_->MatchPath("/a/b.c", "/a/*.[a-d]"));
  EXPECT_FALSE(env_->MatchPath("/a/b/c", "/a/*"));
  EXPECT_FALSE(env_->FilesExist({Path("x"), Path("z")}, nullptr));
  TF_ASSERT_OK(env_->DeleteDir(Path("x/y")));
  TF_ASSERT_OK(env_->DeleteFile(Path("x/c.hlo")));
}

TEST_F(FilesTest, OpenFiles) {
  std::unique_ptr<WritableFile> out;
  TF_ASSERT_OK(env_->NewWritableFile(Path("a"), &out));
  TF_ASSERT_OK(out->Append("0123456789"));
  int64_t position = 0;
  TF_ASSERT_OK(out->Tell(&position));
  EXPECT_EQ(position, 10);
  TF_ASSERT_OK(out->Sync());
  TF_ASSERT_OK(out->Close());
  std::unique_ptr<RandomAccessFile> in;
  TF_ASSERT_OK(env_->NewRandomAccessFile(Path("a"), &in));
  absl::string_view name;
  TF_ASSERT_OK(in->Name(&name));
  EXPECT_EQ(name, Path("a"));
  char scratch[8];
  absl::string_view read;
  TF_ASSERT_OK(in->Read(2, read, absl::MakeSpan(scratch).first(3)));
  EXPECT_EQ(read, "234");
  EXPECT_TRUE(errors::IsOutOfRange(in->Read(6, 8, &read, scratch)));
  EXPECT_EQ(read, "6789");
}

TEST_F(FilesTest, Protos) {
  xla::ExecutionHandle proto;
  proto.set_handle(7);
  TF_ASSERT_OK(WriteBinaryProto(env_, Path("binary"), proto));
  TF_ASSERT_OK(WriteTextProto(env_, Path("text"), proto));
  for (const char* name : {"binary", "text"}) {
    xla::ExecutionHandle read;
    TF_ASSERT_OK(ReadTextOrBinaryProto(env_, Path(name), &read));
    EXPECT_EQ(read.handle(), 7);
  }
  TF_ASSERT_OK(ReadTextProto(env_, Path("text"), &proto));
  EXPECT_TRUE(errors::IsDataLoss(ReadBinaryProto(env_, Path("text"), &proto)));
}

TEST(EnvTest, TimeAndThreads) {
  Env* const env = Env::Default();
  const uint64_t before = env->NowMicros();
  env->SleepForMicroseconds(100);
  EXPECT_GE(env->NowMicros(), before + 100);
  std::atomic<int> runs{0};
  {
    const std::unique_ptr<Thread> thread(
        env->StartThread(ThreadOptions(), "name", [&] { ++runs; }));
  }
  EXPECT_EQ(runs, 1);
  EXPECT_THAT(env->GetExecutablePath(), HasSubstr("/"));
  EXPECT_GT(env->GetProcessId(), 0);
}

TEST(PathTest, Parts) {
  EXPECT_EQ(io::JoinPath("/a", "b", std::string("c")), "/a/b/c");
  EXPECT_EQ(io::JoinPath("/a/", "/b"), "/a/b");
  EXPECT_EQ(io::JoinPath("", "b", ""), "b");
  EXPECT_TRUE(io::IsAbsolutePath("/a"));
  EXPECT_FALSE(io::IsAbsolutePath("a"));
  EXPECT_EQ(io::Dirname("/a/b"), "/a");
  EXPECT_EQ(io::Dirname("/a"), "/");
  EXPECT_EQ(io::Dirname("a"), "");
  EXPECT_EQ(io::Dirname("gs://host/a/b"), "gs://host/a");
  EXPECT_EQ(io::Basename("/a/b.c.d"), "b.c.d");
  EXPECT_EQ(io::Basename("/a/"), "");
  EXPECT_EQ(io::Extension("/a.x/b.c.d"), "d");
  EXPECT_EQ(io::Extension("/a.x/b"), "");
  EXPECT_EQ(io::BasenamePrefix("/a.x/b.c"), "b");
  EXPECT_EQ(io::CleanPath("//a/./b/../c//"), "/a/c");
  EXPECT_EQ(io::CleanPath("a/.."), ".");
  EXPECT_EQ(io::CommonPathPrefix({"/a/bc/d", "/a/be"}), "/a/");
  EXPECT_EQ(io::CommonPathPrefix({"a", "b"}), "");
  EXPECT_EQ(io::CreateURI("gs", "host", "/p"), "gs://host/p");
  EXPECT_EQ(io::CreateURI("", "host", "/p"), "/p");
  absl::string_view scheme, host, path;
  io::ParseURI("gs://host", &scheme, &host, &path);
  EXPECT_EQ(scheme, "gs");
  EXPECT_EQ(host, "host");
  EXPECT_EQ(path, "");
  const std::string file = io::GetTempFilename("txt");
  EXPECT_THAT(file, EndsWith(".txt"));
  TF_EXPECT_OK(Env::Default()->DeleteFile(file));
  EXPECT_TRUE(kIsOpenSource);
  EXPECT_FALSE(testing::TmpDir().empty());
}

TEST(ThreadPoolTest, RunsEverything) {
  std::atomic<int> runs{0};
  {
    thread::ThreadPool pool(Env::Default(), "pool", 3);
    EXPECT_EQ(pool.NumThreads(), 3);
    EXPECT_EQ(pool.CurrentThreadId(), -1);
    for (int i = 0; i < 100; ++i) {
      pool.Schedule([&] {
        EXPECT_GE(pool.CurrentThreadId(), 0);
        EXPECT_LT(pool.CurrentThreadId(), 3);
        ++runs;
      });
    }
  }
  EXPECT_EQ(runs, 100);
}

TEST(ThreadPoolTest, DividesLoops) {
  thread::ThreadPool pool(Env::Default(), ThreadOptions(), "pool", 2);
  using Params = thread::ThreadPool::SchedulingParams;
  for (const Params& params :
       {Params::Fixed(7), Params::Fixed(1000), Params::Adaptive(1),
        Params::Adaptive(1'000'000)}) {
    std::vector<std::atomic<int>> counts(100);
    pool.ParallelForWithWorkerId(100, params,
                                 [&](int64_t begin, int64_t end, int worker) {
                                   EXPECT_LE(worker, 2);
                                   for (int64_t i = begin; i < end; ++i)
                                     ++counts[i];
                                 });
    for (const std::atomic<int>& count : counts) EXPECT_EQ(count, 1);
  }
  // Loops within loops, on all threads, do not wait for each other.
  std::atomic<int> inner{0};
  pool.ParallelFor(8, [&](int64_t begin, int64_t end) {
    pool.ParallelFor(4, [&](int64_t from, int64_t to) { inner += to - from; });
  });
  EXPECT_EQ(inner, 32);
  EXPECT_EQ(pool.NumShardsUsedByFixedBlockSizeScheduling(10, 4), 3);
}

TEST(ErrorsTest, CodesAndContext) {
  EXPECT_EQ(errors::Unimplemented("x").code(), error::UNIMPLEMENTED);
  EXPECT_EQ(errors::InvalidArgument("x").code(), error::INVALID_ARGUMENT);
  EXPECT_EQ(absl::Status(error::Code::kInternal, "").code(), error::INTERNAL);
  const auto fails = [] {
    TF_RETURN_WITH_CONTEXT_IF_ERROR(errors::NotFound("no file"), "reading ", 5);
    return absl::OkStatus();
  };
  EXPECT_EQ(fails(), absl::NotFoundError("no file\n\treading 5"));
  absl::Status status = errors::Create(error::ABORTED, "a", {{"key", "value"}});
  errors::AppendToMessage(&status, "b");
  EXPECT_EQ(errors::GetPayloads(status).at("key"), "value");
  const int numbers[] = {1, 2, 3};
  EXPECT_EQ(TF_ARRAYSIZE(numbers), 3);
}

TEST(BitCastTest, KeepsBits) {
  EXPECT_EQ(xla::BitCast<uint32_t>(1.0f), 0x3f800000u);
  EXPECT_EQ(xla::BitCast<double>(uint64_t{1}),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(xla::BitCast<uint16_t>(xla::bfloat16(1.0f)), 0x3f80);
  EXPECT_EQ(xla::BitCast<xla::half>(uint16_t{0x3c00}), xla::half(1.0f));
  EXPECT_EQ(xla::BitCast<uint8_t>(tsl::float8_e5m2(1.0f)), 0x3c);
  for (int i = 0; i < 0x100; ++i) {
    const auto bits = static_cast<uint8_t>(i);
    EXPECT_EQ(
        xla::BitCast<uint8_t>(xla::BitCast<ml_dtypes::float8_e4m3fn>(bits)),
        bits);
  }
}

TEST(MaybeOwningTest, OwnsOrBorrows) {
  const std::string text = "borrowed";
  MaybeOwning<std::string> borrowed(&text);
  EXPECT_FALSE(borrowed.OwnsPtr());
  EXPECT_EQ(borrowed.get(), &text);
  EXPECT_EQ(borrowed.Clone().get(), &text);
  MaybeOwning<std::string> owned(std::make_unique<std::string>("owned"));
  EXPECT_TRUE(owned.OwnsPtr());
  owned.get_mutable()->append("!");
  const MaybeOwning<std::string> clone = owned.Clone();
  EXPECT_NE(clone.get(), owned.get());
  EXPECT_EQ(*clone, "owned!");
  borrowed = std::move(owned);
  EXPECT_EQ(borrowed->size(), 6);
  EXPECT_TRUE(borrowed.OwnsPtr());
  EXPECT_TRUE(owned == nullptr);
  EXPECT_FALSE(owned);
  borrowed = &text;
  EXPECT_TRUE(borrowed != nullptr);
  EXPECT_FALSE(borrowed.OwnsPtr());
}

int benchmark_runs = 0;
void BM_Add(::testing::benchmark::State& state) {
  int64_t sum = 0;
  for (auto s : state) {
    sum += state.range(0);
    testing::DoNotOptimize(sum);
  }
  EXPECT_EQ(sum, state.range(0) * state.iterations());
  state.SetItemsProcessed(state.iterations());
  benchmark_runs += state.iterations() == 10;
}
BENCHMARK(BM_Add)->Arg(3)->Range(8, 512)->Iterations(10);

template <typename T>
void BM_Size(::testing::benchmark::State& state, size_t size) {
  while (state.KeepRunning()) EXPECT_EQ(sizeof(T), size);
  ++benchmark_runs;
}
BENCHMARK_CAPTURE(BM_Size<int32_t>, bytes, 4)
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond);

TEST(BenchmarkTest, RunsWithoutTheLibrary) {
  benchmark_runs = 0;
  testing::RunBenchmarks();
  EXPECT_EQ(benchmark_runs, 4 + 1);
}

}  // namespace
}  // namespace tsl
