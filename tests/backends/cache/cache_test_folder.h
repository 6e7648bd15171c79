// A folder for the entries of a test, with the files in it.
#ifndef TESTS_BACKENDS_CACHE_CACHE_TEST_FOLDER_H_
#define TESTS_BACKENDS_CACHE_CACHE_TEST_FOLDER_H_

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace xla {

// The folder does not exist at first, and is removed at the end.
class CacheTestFolder {
 public:
  CacheTestFolder()
      : path_(std::filesystem::path(testing::TempDir()) /
              absl::StrCat(
                  "tessera_cache_",
                  testing::UnitTest::GetInstance()->current_test_info()->name(),
                  "_", getpid())) {
    std::filesystem::remove_all(path_);
  }
  ~CacheTestFolder() { std::filesystem::remove_all(path_); }
  CacheTestFolder(const CacheTestFolder&) = delete;
  CacheTestFolder& operator=(const CacheTestFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::filesystem::path operator/(absl::string_view name) const {
    return path_ / std::string(name);
  }
  // The files whose names end so.
  std::vector<std::filesystem::path> FilesWith(const char* extension) const {
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(path_)) {
      if (file.path().extension() == extension) files.push_back(file.path());
    }
    return files;
  }
  std::vector<std::filesystem::path> Entries() const {
    return FilesWith(".program");
  }
  int64_t EntryBytes() const {
    int64_t bytes = 0;
    for (const auto& file : Entries())
      bytes += std::filesystem::file_size(file);
    return bytes;
  }

  static std::string Contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  static void Overwrite(const std::filesystem::path& file,
                        absl::string_view contents) {
    std::ofstream(file, std::ios::binary) << contents;
  }

 private:
  const std::filesystem::path path_;
};

}  // namespace xla

#endif  // TESTS_BACKENDS_CACHE_CACHE_TEST_FOLDER_H_
