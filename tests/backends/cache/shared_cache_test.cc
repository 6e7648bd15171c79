// Threads and processes that share a folder whose bound is too small for all of
// their entries. Sanitizers run it too.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/backends/cache/cache_test_folder.h"
#include "xla/backends/cache/compilation_cache.h"

namespace xla {
namespace {

using ::testing::IsEmpty;

constexpr int kThreads = 8;
constexpr int kProcesses = 4;
constexpr int kKeys = 24;
constexpr int kRounds = 120;
// Of some eight of the entries below.
constexpr int64_t kBound = 40'000;

std::string CodeOf(int number) {
  std::string code;
  for (int i = 0; i < 500 + 20 * number; ++i) {
    absl::StrAppend(&code, number, " ", i, "\n");
  }
  return code;
}

CacheKey KeyOfNumber(int number) {
  return CacheKeyOf({absl::StrCat("program ", number)});
}

// Does what compilations do, in an order that depends on `seed`. Returns the
// number of entries that were not what was kept.
int Work(CompilationCache& cache, int seed) {
  int wrong = 0;
  uint32_t state = static_cast<uint32_t>(seed) * 2654435761u + 1;
  for (int round = 0; round < kRounds; ++round) {
    state = state * 1664525u + 1013904223u;
    const int number = static_cast<int>((state >> 16) % kKeys);
    const bool hit =
        cache.Load(KeyOfNumber(number), [&](absl::string_view code) {
          wrong += code != CodeOf(number);
          return absl::OkStatus();
        });
    if (!hit) cache.Store(KeyOfNumber(number), CodeOf(number));
  }
  return wrong;
}

void RunThreads(const std::vector<std::function<void()>>& bodies) {
  std::vector<std::thread> threads;
  for (const auto& body : bodies) threads.emplace_back(body);
  for (std::thread& thread : threads) thread.join();
}

TEST(SharedCacheTest, Threads) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kBound);
  std::atomic<int> wrong = 0;
  std::vector<std::function<void()>> bodies;
  for (int t = 0; t < kThreads; ++t) {
    bodies.push_back([&, t] { wrong += Work(cache, t); });
  }
  RunThreads(bodies);
  EXPECT_EQ(wrong, 0);
  const CompilationCacheStatistics all = cache.statistics();
  EXPECT_EQ(all.hits + all.misses, kThreads * kRounds);
  EXPECT_EQ(all.stores, all.misses);
  EXPECT_EQ(all.errors, 0);
  EXPECT_GT(all.hits, 0);
  EXPECT_GT(all.evictions, 0);
  EXPECT_LE(folder.EntryBytes(), kBound);
  EXPECT_THAT(folder.FilesWith(".program-tmp"), IsEmpty());
}

// Whatever happens to the files, nothing wrong is loaded.
TEST(SharedCacheTest, ThreadsWhileFilesAreDamagedAndRemoved) {
  CacheTestFolder folder;
  std::filesystem::create_directory(folder.path());
  std::filesystem::permissions(folder.path(),
                               std::filesystem::perms::owner_all);
  std::vector<std::unique_ptr<CompilationCache>> caches;
  std::atomic<int> wrong = 0, working = kThreads;
  std::vector<std::function<void()>> bodies;
  for (int t = 0; t < kThreads; ++t) {
    // Pairs of threads share a cache.
    if (t % 2 == 0) {
      caches.push_back(
          std::make_unique<CompilationCache>(folder.path(), kBound));
    }
    bodies.push_back([&, t, cache = caches.back().get()] {
      wrong += Work(*cache, t);
      --working;
    });
  }
  bodies.push_back([&] {
    for (int round = 0; working > 0; ++round) {
      const std::filesystem::path file =
          folder /
          absl::StrCat(KeyOfNumber(round % kKeys).ToString(), ".program");
      std::error_code error;  // there may be no such file
      if (round % 3 == 0) {
        std::filesystem::remove(file, error);
      } else {
        std::filesystem::resize_file(file, round % 1000, error);
      }
      std::this_thread::yield();
    }
  });
  RunThreads(bodies);
  EXPECT_EQ(wrong, 0);
  // What was cut off last is replaced.
  CompilationCache last(folder.path(), kBound);
  EXPECT_EQ(Work(last, 99), 0);
  EXPECT_LE(folder.EntryBytes(), kBound);
}

TEST(SharedCacheTest, Processes) {
  CacheTestFolder folder;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      CompilationCache cache(folder.path(), kBound);
      const int wrong = Work(cache, p);
      const CompilationCacheStatistics all = cache.statistics();
      const bool good = wrong == 0 && all.errors == 0 &&
                        all.hits + all.misses == kRounds &&
                        all.stores == all.misses;
      _exit(good ? 0 : 1);  // without the parent's exit handlers
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_LE(folder.EntryBytes(), kBound);
  EXPECT_THAT(folder.FilesWith(".program-tmp"), IsEmpty());
  // What they left is whole.
  CompilationCache cache(folder.path(), kBound);
  EXPECT_EQ(Work(cache, 7), 0);
  EXPECT_EQ(cache.statistics().errors, 0);
}

}  // namespace
}  // namespace xla
