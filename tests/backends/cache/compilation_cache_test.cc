// The compilation cache: entries, damage, the bound, folders that cannot be
// used, options and counters. shared_cache_test.cc is about threads and
// processes.
#include "xla/backends/cache/compilation_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/backends/cache/cache_test_folder.h"
#include "xla/backends/cache/file_descriptor.h"

namespace xla {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kMany = 1 << 20;

CacheKey Key(int number) { return CacheKeyOf({absl::StrCat("key ", number)}); }

// What the cache has under the key.
std::optional<std::string> Find(CompilationCache& cache, const CacheKey& key) {
  std::optional<std::string> found;
  const bool hit = cache.Load(key, [&](absl::string_view bytes) {
    found = std::string(bytes);
    return absl::OkStatus();
  });
  EXPECT_EQ(hit, found.has_value());
  return found;
}

TEST(CacheKeyTest, IsBlake3OfTheParts) {
  EXPECT_EQ(CacheKeyOf({}).ToString(),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  EXPECT_EQ(CacheKeyOf({"a", "b"}), CacheKeyOf({"a", "b"}));
  EXPECT_FALSE(CacheKeyOf({"ab", ""}) == CacheKeyOf({"a", "b"}));
  EXPECT_FALSE(CacheKeyOf({"", "ab"}) == CacheKeyOf({"ab", ""}));
  EXPECT_FALSE(CacheKeyOf({""}) == CacheKeyOf({}));
}

TEST(CompilationCacheTest, AnotherCacheFindsWhatOneKept) {
  CacheTestFolder folder;
  CompilationCache writer(folder.path(), kMany);
  EXPECT_EQ(Find(writer, Key(1)), std::nullopt);
  writer.Store(Key(1), "one");
  writer.Store(Key(2), "");
  CompilationCache reader(folder.path(), kMany);
  EXPECT_EQ(Find(reader, Key(1)), "one");
  EXPECT_EQ(Find(reader, Key(2)), "");
  EXPECT_EQ(Find(reader, Key(3)), std::nullopt);
  EXPECT_EQ(writer.statistics().ToString(),
            "0 hits, 1 misses, 2 stores, 0 evictions, 0 uncached, 0 errors");
  EXPECT_EQ(reader.statistics().ToString(),
            "2 hits, 1 misses, 0 stores, 0 evictions, 0 uncached, 0 errors");
}

TEST(CompilationCacheTest, ProcessCountsAllCaches) {
  CacheTestFolder folder;
  const CompilationCacheStatistics before =
      CompilationCache::ProcessStatistics();
  {
    CompilationCache cache(folder.path(), kMany);
    cache.Store(Key(1), "one");
    cache.CountUncached();
  }
  CompilationCache cache(folder.path(), kMany);
  Find(cache, Key(1));
  const CompilationCacheStatistics after =
      CompilationCache::ProcessStatistics();
  EXPECT_EQ(after.stores, before.stores + 1);
  EXPECT_EQ(after.uncached, before.uncached + 1);
  EXPECT_EQ(after.hits, before.hits + 1);
}

TEST(CompilationCacheTest, FolderIsForItsUserAlone) {
  CacheTestFolder folder;
  const std::string inner = folder / "a/b";
  CompilationCache cache(inner, kMany);
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
  cache.Store(Key(1), "one");
  EXPECT_EQ(std::filesystem::status(inner).permissions(),
            std::filesystem::perms::owner_all);
  // The folder may vanish at any time.
  std::filesystem::remove_all(folder.path());
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  cache.Store(Key(1), "again");
  EXPECT_EQ(Find(cache, Key(1)), "again");
  EXPECT_EQ(cache.statistics().errors, 0);
}

TEST(CompilationCacheTest, DamagedEntriesAreMissesAndRemoved) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  cache.Store(Key(1), "some code");
  ASSERT_THAT(folder.Entries(), SizeIs(1));
  const std::filesystem::path file = folder.Entries()[0];
  const std::string whole = CacheTestFolder::Contents(file);
  std::vector<std::string> damaged = {whole + "x"};
  for (size_t size = 0; size < whole.size(); ++size) {
    damaged.push_back(whole.substr(0, size));
    damaged.push_back(whole);
    damaged.back()[size] ^= 1;
  }
  int64_t errors = 0;
  for (const std::string& bytes : damaged) {
    CacheTestFolder::Overwrite(file, bytes);
    EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_EQ(cache.statistics().errors, ++errors);
  }
  CacheTestFolder::Overwrite(file, whole);
  EXPECT_EQ(Find(cache, Key(1)), "some code");
  // An entry is not that of another key.
  std::filesystem::copy(file,
                        folder / absl::StrCat(Key(2).ToString(), ".program"));
  EXPECT_EQ(Find(cache, Key(2)), std::nullopt);
  EXPECT_THAT(folder.Entries(), SizeIs(1));
}

TEST(CompilationCacheTest, EntriesThatLoadRefusesAreRemoved) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  const auto load_with = [&](const absl::Status& status) {
    cache.Store(Key(1), "one");
    EXPECT_FALSE(
        cache.Load(Key(1), [&](absl::string_view bytes) { return status; }));
    return folder.Entries().size();
  };
  EXPECT_EQ(load_with(absl::FailedPreconditionError("another build")), 0);
  // This says nothing about the entry.
  EXPECT_EQ(load_with(absl::ResourceExhaustedError("no memory")), 1);
  EXPECT_EQ(cache.statistics().misses, 2);
  EXPECT_EQ(cache.statistics().hits, 0);
}

TEST(CompilationCacheTest, OnlyFilesAreEntries) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  cache.Store(Key(0), "some code");
  const std::filesystem::path whole = folder.Entries()[0];
  const std::filesystem::path other =
      folder / absl::StrCat(Key(1).ToString(), ".program");
  ASSERT_EQ(mkfifo(other.c_str(), 0600), 0);
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  std::filesystem::create_symlink(whole, other);
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(other)));
  // One that is too large is not read.
  std::filesystem::resize_file(whole, int64_t{1} << 40);
  EXPECT_EQ(Find(cache, Key(0)), std::nullopt);
  EXPECT_THAT(folder.Entries(), IsEmpty());
  EXPECT_EQ(cache.statistics().errors, 3);
}

TEST(CompilationCacheTest, LeastRecentlyUsedEntriesGoFirst) {
  CacheTestFolder folder;
  const std::string code(1000, 'c');
  CompilationCache cache(folder.path(), 10'000);
  for (int i = 0; i < 9; ++i) cache.Store(Key(i), code);
  EXPECT_EQ(cache.statistics().evictions, 0);
  EXPECT_EQ(Find(cache, Key(0)), code);
  EXPECT_EQ(Find(cache, Key(2)), code);
  // Files of others are neither counted nor removed.
  CacheTestFolder::Overwrite(folder / "other.txt", std::string(20'000, 'x'));
  cache.Store(Key(9), code);
  // An eighth is free then.
  EXPECT_LE(folder.EntryBytes(), 10'000 - 10'000 / 8);
  EXPECT_EQ(cache.statistics().evictions, 2);
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  EXPECT_EQ(Find(cache, Key(3)), std::nullopt);
  for (const int kept : {0, 2, 4, 5, 6, 7, 8, 9}) {
    EXPECT_EQ(Find(cache, Key(kept)), code) << kept;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "other.txt"));
}

TEST(CompilationCacheTest, BoundHoldsForEntriesOfOthersAndAtOpening) {
  CacheTestFolder folder;
  const std::string code(1000, 'c');
  {
    CompilationCache before(folder.path(), kMany);
    for (int i = 0; i < 20; ++i) before.Store(Key(i), code);
  }
  CompilationCache cache(folder.path(), 5000), other(folder.path(), 5000);
  for (int i = 20; i < 40; ++i) {
    (i % 2 == 0 ? cache : other).Store(Key(i), code);
    EXPECT_LE(folder.EntryBytes(), 5000);
    EXPECT_EQ(Find(cache, Key(i)), code);
  }
  // What exceeds the bound alone is not kept, which is no error.
  cache.Store(Key(50), std::string(5001, 'c'));
  EXPECT_EQ(Find(cache, Key(50)), std::nullopt);
  EXPECT_EQ(Find(cache, Key(39)), code);
  EXPECT_EQ(cache.statistics().errors, 0);
}

TEST(CompilationCacheTest, FilesOfKilledWritersAreRemoved) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  cache.Store(Key(1), "one");
  CacheTestFolder::Overwrite(folder / "1-0.program-tmp", "old");
  CacheTestFolder::Overwrite(folder / "1-1.program-tmp", "being written");
  const timespec times[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (folder / "1-0.program-tmp").c_str(), times, 0),
            0);
  // The first thing that it writes makes it look.
  CompilationCache(folder.path(), kMany).Store(Key(2), "two");
  EXPECT_THAT(folder.FilesWith(".program-tmp"),
              testing::ElementsAre(folder / "1-1.program-tmp"));
}

TEST(CompilationCacheTest, FoldersThatCannotBeUsedCauseOneWarning) {
  CacheTestFolder folder;
  std::filesystem::create_directories(folder.path());
  CacheTestFolder::Overwrite(folder / "file", "");
  CompilationCache cache(folder / "file/below", kMany);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) cache.Store(Key(i), "code");
  EXPECT_EQ(Find(cache, Key(0)), std::nullopt);
  const std::string log = testing::internal::GetCapturedStderr();
  EXPECT_THAT(log, HasSubstr("does not keep programs"));
  EXPECT_THAT(log, HasSubstr("file/below"));
  EXPECT_EQ(log.find("does not keep"), log.rfind("does not keep"));
  EXPECT_GE(cache.statistics().errors, 3);
  EXPECT_EQ(cache.statistics().stores, 0);
}

TEST(CompilationCacheTest, FoldersOfAllAreNotUsed) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  cache.Store(Key(1), "one");
  std::filesystem::permissions(folder.path(), std::filesystem::perms::all);
  EXPECT_EQ(Find(cache, Key(1)), std::nullopt);
  testing::internal::CaptureStderr();
  cache.Store(Key(2), "two");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("must be this user's, with mode 0700"));
  EXPECT_THAT(folder.Entries(), SizeIs(1));
  std::filesystem::permissions(folder.path(),
                               std::filesystem::perms::owner_all);
  EXPECT_EQ(Find(cache, Key(1)), "one");
}

TEST(CompilationCacheTest, DoesNotWaitForAProcessThatKeepsTheLock) {
  CacheTestFolder folder;
  CompilationCache cache(folder.path(), kMany);
  cache.Store(Key(1), "one");
  {
    const FileDescriptor lock(
        open((folder / "programs.lock").c_str(), O_RDONLY));
    ASSERT_EQ(flock(lock.get(), LOCK_EX), 0);
    cache.Store(Key(2), "two");
    EXPECT_EQ(Find(cache, Key(1)), "one");  // readers need no lock
  }
  EXPECT_EQ(cache.statistics().errors, 1);
  EXPECT_THAT(folder.FilesWith(".program-tmp"), IsEmpty());
  cache.Store(Key(2), "two");
  EXPECT_EQ(Find(cache, Key(2)), "two");
}

// Sets variables of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    setenv(name, value, 1);
  }
  ~Variable() { unsetenv(name_); }

 private:
  const char* const name_;
};

TEST(CompilationCacheTest, OptionsPrecedeTheEnvironment) {
  const auto open = [](CompilationCacheOptions options) {
    return CompilationCache::Open(options);
  };
  unsetenv("TESSERA_CACHE_DIR");
  EXPECT_EQ(*open({}), nullptr);
  Variable folder("TESSERA_CACHE_DIR", "/set/folder");
  ASSERT_NE(*open({}), nullptr);
  EXPECT_EQ((*open({}))->folder(), "/set/folder");
  EXPECT_EQ((*open({}))->max_bytes(), CompilationCache::kDefaultMaxBytes);
  EXPECT_EQ(*open({.folder = ""}), nullptr);
  EXPECT_EQ((*open({.folder = "/given"}))->folder(), "/given");
  Variable bound("TESSERA_CACHE_MAX_BYTES", "123");
  EXPECT_EQ((*open({}))->max_bytes(), 123);
  EXPECT_EQ((*open({.max_bytes = 7}))->max_bytes(), 7);
  EXPECT_EQ(open({.max_bytes = 0}).status().code(),
            absl::StatusCode::kInvalidArgument);
  for (const char* wrong : {"0", "-1", "1G", "99999999999999999999"}) {
    Variable variable("TESSERA_CACHE_MAX_BYTES", wrong);
    EXPECT_THAT(std::string(open({}).status().message()),
                HasSubstr("TESSERA_CACHE_MAX_BYTES must be"));
  }
}

}  // namespace
}  // namespace xla
