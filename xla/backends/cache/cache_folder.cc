// Reads, writes and evicts entries. All files are opened relative to the open
// folder, so that the folder which was checked is the one that is used.
#include "xla/backends/cache/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "xla/backends/cache/file_descriptor.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

constexpr absl::string_view kEntrySuffix = ".program";
constexpr absl::string_view kTemporarySuffix = ".program-tmp";
constexpr char kLockName[] = "programs.lock";
// Whoever writes a file for longer has been killed.
constexpr int64_t kTemporarySeconds = 3600;

// Errors: the system's last one, with what was tried.
absl::Status SystemError(absl::string_view tried, absl::string_view name) {
  return absl::ErrnoToStatus(errno, absl::StrCat("cannot ", tried, " ", name));
}

std::string AbsolutePath(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.string();
}

// Creates the folder, for this user alone, and those above it.
absl::Status CreateFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      error);
  if (mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) {
    return absl::OkStatus();
  }
  return SystemError("make folder", path);
}

// Errors: PermissionDenied where others than this user and root decide what is
// in the folder, since code from it runs in this process; the system's.
absl::StatusOr<FileDescriptor> OpenFolder(const std::string& path) {
  FileDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat facts;
  if (!folder.is_open() || fstat(folder.get(), &facts) != 0) {
    return SystemError("open folder", path);
  }
  if ((facts.st_mode & S_IWOTH) != 0 ||
      (facts.st_uid != 0 && facts.st_uid != geteuid())) {
    return absl::PermissionDeniedError(absl::StrCat(
        "folder ", path,
        " belongs to another user or may be written by all, and code from it "
        "would run here: it must be this user's, with mode 0700"));
  }
  return folder;
}

// Errors: DeadlineExceeded after a second, since the process that holds the
// lock may have been stopped; the system's.
absl::StatusOr<FileDescriptor> LockFolder(int folder) {
  constexpr int kMostTries = 1000;
  FileDescriptor lock(openat(
      folder, kLockName, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!lock.is_open()) return SystemError("open", kLockName);
  for (int i = 0; i < kMostTries; ++i) {
    if (flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return SystemError("lock", kLockName);
    }
    absl::SleepFor(absl::Milliseconds(1));
  }
  return absl::DeadlineExceededError(
      absl::StrCat("another process has held ", kLockName, " for a second"));
}

// Marks a file as used now. Whoever may only read it cannot, and need not.
void Touch(int file) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const timespec times[2] = {now, now};
  std::ignore = futimens(file, times);
}

absl::Status WriteAll(int file, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return SystemError("write", "an entry");
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return absl::OkStatus();
}

// A file that is removed at the end of the scope unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(int folder) : folder_(folder) {}
  ~TemporaryFile() {
    if (file_.is_open()) unlinkat(folder_, name_.c_str(), 0);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  absl::Status Create() {
    static std::atomic<uint64_t> next{0};
    // Processes of several containers may have one number.
    constexpr int kMostTries = 1000;
    for (int i = 0; i < kMostTries && !file_.is_open(); ++i) {
      name_ = absl::StrCat(getpid(), "-", next.fetch_add(1), kTemporarySuffix);
      file_ = FileDescriptor(
          openat(folder_, name_.c_str(),
                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
      if (!file_.is_open() && errno != EEXIST) break;
    }
    return file_.is_open() ? absl::OkStatus() : SystemError("create", name_);
  }
  absl::Status RenameTo(const std::string& name) {
    if (renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) {
      return SystemError("rename", name_);
    }
    file_ = FileDescriptor();
    return absl::OkStatus();
  }
  int file() const { return file_.get(); }

 private:
  const int folder_;
  std::string name_;
  FileDescriptor file_;
};

struct Entry {
  std::pair<int64_t, int64_t> used;  // seconds and nanoseconds
  int64_t bytes = 0;
  std::string name;
};

// Lists the entries, and removes files whose writers were killed.
absl::StatusOr<std::vector<Entry>> ListEntries(int folder) {
  FileDescriptor again(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR* const list = again.is_open() ? fdopendir(again.get()) : nullptr;
  if (list == nullptr) return SystemError("list", "the folder");
  again.Release();
  std::vector<Entry> entries;
  const int64_t now = absl::ToUnixSeconds(absl::Now());
  while (const dirent* item = readdir(list)) {
    const bool temporary = absl::EndsWith(item->d_name, kTemporarySuffix);
    if (!temporary && !absl::EndsWith(item->d_name, kEntrySuffix)) continue;
    struct stat facts;
    // Another process may have removed it.
    if (fstatat(folder, item->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(facts.st_mode)) {
      continue;
    }
    if (!temporary) {
      entries.push_back({{facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec},
                         facts.st_size,
                         item->d_name});
    } else if (facts.st_mtim.tv_sec < now - kTemporarySeconds) {
      unlinkat(folder, item->d_name, 0);
    }
  }
  closedir(list);
  return entries;
}

std::string FileName(absl::string_view name) {
  return absl::StrCat(name, kEntrySuffix);
}

}  // namespace

CacheFolder::CacheFolder(const std::string& path, int64_t max_bytes)
    : path_(AbsolutePath(path)), max_bytes_(max_bytes) {}

absl::StatusOr<std::string> CacheFolder::Read(absl::string_view name) {
  TF_ASSIGN_OR_RETURN(const FileDescriptor folder, OpenFolder(path_));
  const std::string file_name = FileName(name);
  // Nonblocking, for the case that it is a pipe.
  const FileDescriptor file(
      openat(folder.get(), file_name.c_str(),
             O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
  if (!file.is_open() && errno == ELOOP) {
    return absl::InvalidArgumentError(absl::StrCat(file_name, " is a link"));
  }
  struct stat facts;
  if (!file.is_open() || fstat(file.get(), &facts) != 0) {
    return SystemError("open", file_name);
  }
  if (!S_ISREG(facts.st_mode) || facts.st_size > max_bytes_) {
    return absl::InvalidArgumentError(absl::StrCat(
        file_name, " is no file of at most ", max_bytes_, " bytes"));
  }
  std::string bytes(static_cast<size_t>(facts.st_size), '\0');
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t done =
        read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return SystemError("read", file_name);
    if (done == 0) break;
    filled += static_cast<size_t>(done);
  }
  bytes.resize(filled);
  Touch(file.get());
  return bytes;
}

absl::StatusOr<int64_t> CacheFolder::Write(
    absl::string_view name, absl::Span<const absl::string_view> parts) {
  int64_t bytes = 0;
  for (const absl::string_view part : parts) bytes += part.size();
  if (bytes > max_bytes_) {
    return absl::OutOfRangeError(absl::StrCat(
        "an entry of ", bytes, " bytes exceeds the bound of ", max_bytes_));
  }
  absl::StatusOr<FileDescriptor> folder = OpenFolder(path_);
  if (absl::IsNotFound(folder.status())) {
    TF_RETURN_IF_ERROR(CreateFolder(path_));
    folder = OpenFolder(path_);
  }
  TF_RETURN_IF_ERROR(folder.status());
  TemporaryFile file(folder->get());
  TF_RETURN_IF_ERROR(file.Create());
  for (const absl::string_view part : parts) {
    TF_RETURN_IF_ERROR(WriteAll(file.file(), part));
  }
  Touch(file.file());
  std::lock_guard<std::mutex> guard(mutex_);
  TF_ASSIGN_OR_RETURN(const FileDescriptor lock, LockFolder(folder->get()));
  TF_ASSIGN_OR_RETURN(const int64_t removed, MakeRoom(folder->get(), bytes));
  TF_RETURN_IF_ERROR(file.RenameTo(FileName(name)));
  *total_bytes_ += bytes;
  bytes_since_look_ += bytes;
  return removed;
}

absl::StatusOr<int64_t> CacheFolder::MakeRoom(int folder, int64_t bytes) {
  constexpr int64_t kLookAtPart = 64;
  constexpr int64_t kFreePart = 8;
  if (total_bytes_.has_value() && *total_bytes_ <= max_bytes_ - bytes &&
      bytes_since_look_ + bytes <= max_bytes_ / kLookAtPart) {
    return 0;
  }
  TF_ASSIGN_OR_RETURN(std::vector<Entry> entries, ListEntries(folder));
  int64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  int64_t removed = 0;
  if (total > max_bytes_ - bytes) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.used < b.used; });
    // Otherwise each further entry would need a look at all of them.
    const int64_t goal = max_bytes_ - max_bytes_ / kFreePart - bytes;
    for (const Entry& entry : entries) {
      if (total <= std::max<int64_t>(goal, 0)) break;
      if (unlinkat(folder, entry.name.c_str(), 0) == 0) {
        ++removed;
      } else if (errno != ENOENT) {
        continue;
      }
      total -= entry.bytes;
    }
  }
  total_bytes_ = total;
  bytes_since_look_ = 0;
  if (total <= max_bytes_ - bytes) return removed;
  return absl::ResourceExhaustedError(absl::StrCat(
      "entries of ", total, " bytes cannot be removed from ", path_));
}

void CacheFolder::Remove(absl::string_view name) {
  const absl::StatusOr<FileDescriptor> folder = OpenFolder(path_);
  if (folder.ok()) unlinkat(folder->get(), FileName(name).c_str(), 0);
}

}  // namespace xla
