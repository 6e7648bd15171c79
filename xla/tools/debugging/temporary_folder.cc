// Makes folders with names that no other one has.
#include "xla/tools/debugging/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace xla::tools {
namespace {

void RemoveFolder(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

// The folders of this process.
class Folders {
 public:
  void Add(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex_);
    paths_.insert(path);
  }
  void Remove(const std::string& path) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (paths_.erase(path) > 0) RemoveFolder(path);
  }
  void RemoveAll() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::string& path : paths_) RemoveFolder(path);
    paths_.clear();
  }

 private:
  std::mutex mutex_;  // guards paths_
  std::set<std::string> paths_;
};

Folders& FoldersOfProcess() {
  static auto* const folders = new Folders;
  return *folders;
}

}  // namespace

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::Make(
    absl::string_view prefix) {
  std::error_code error;
  const std::filesystem::path parent =
      std::filesystem::temp_directory_path(error);
  if (error) {
    return absl::ErrnoToStatus(error.value(), "no folder for temporary files");
  }
  std::string path = (parent / absl::StrCat(prefix, "-XXXXXX")).string();
  if (mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make ", path));
  }
  FoldersOfProcess().Add(path);
  return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(path)));
}

TemporaryFolder::~TemporaryFolder() { FoldersOfProcess().Remove(path_); }

void TemporaryFolder::RemoveAll() { FoldersOfProcess().RemoveAll(); }

}  // namespace xla::tools
