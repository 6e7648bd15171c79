// Env: files, time and threads of the machine, and functions that read and
// write whole files.
#ifndef COMPAT_XLA_TSL_PLATFORM_ENV_H_
#define COMPAT_XLA_TSL_PLATFORM_ENV_H_

#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tsl/platform/path.h"
#include "xla/base/status_macros.h"
#include "xla/tsl/platform/env_time.h"         // IWYU pragma: export
#include "xla/tsl/platform/file_statistics.h"  // IWYU pragma: export
#include "xla/tsl/platform/file_system.h"      // IWYU pragma: export
#include "xla/tsl/platform/macros.h"           // IWYU pragma: export
#include "xla/tsl/platform/protobuf.h"         // IWYU pragma: export

namespace tsl {

// Its destructor waits for the thread.
class Thread {
 public:
  Thread() = default;
  virtual ~Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
};

// Stored; threads have the system's sizes.
struct ThreadOptions {
  size_t stack_size = 0;
  size_t guard_size = 0;
  int numa_node = -1;
};

// Errors of functions on files have the system's code and the name of the file.
// Thread safe.
class Env {
 public:
  Env() = default;
  virtual ~Env() = default;
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // Lives as long as the process.
  static Env* Default() {
    static Env* const env = new Env;
    return env;
  }

  virtual absl::Status NewRandomAccessFile(
      const std::string& fname, std::unique_ptr<RandomAccessFile>* result) {
    return Open(fname, O_RDONLY, result);
  }
  virtual absl::Status NewWritableFile(const std::string& fname,
                                       std::unique_ptr<WritableFile>* result) {
    return Open(fname, O_WRONLY | O_CREAT | O_TRUNC, result);
  }
  virtual absl::Status NewAppendableFile(
      const std::string& fname, std::unique_ptr<WritableFile>* result) {
    return Open(fname, O_WRONLY | O_CREAT | O_APPEND, result);
  }
  virtual absl::Status NewReadOnlyMemoryRegionFromFile(
      const std::string& fname, std::unique_ptr<ReadOnlyMemoryRegion>* result) {
    TF_ASSIGN_OR_RETURN(const auto file,
                        internal::OpenFile::Open(fname, O_RDONLY));
    TF_ASSIGN_OR_RETURN(std::string contents, file->ReadAll());
    *result = std::make_unique<internal::FileContents>(std::move(contents));
    return absl::OkStatus();
  }

  virtual absl::Status FileExists(const std::string& fname) {
    return access(fname.c_str(), F_OK) == 0 ? absl::OkStatus()
                                            : internal::FileError(fname);
  }
  // `status`, which may be null, gets one for each file.
  bool FilesExist(const std::vector<std::string>& files,
                  std::vector<absl::Status>* status) {
    bool all = true;
    for (const std::string& file : files) {
      const absl::Status found = FileExists(file);
      all &= found.ok();
      if (status != nullptr) status->push_back(found);
    }
    return all;
  }
  // The names of the files and folders in a folder.
  virtual absl::Status GetChildren(const std::string& dir,
                                   std::vector<std::string>* result) {
    std::error_code error;
    for (std::filesystem::directory_iterator it(dir, error), end;
         !error && it != end; it.increment(error)) {
      result->push_back(it->path().filename().string());
    }
    return FromCode(error, dir);
  }
  // '*', '?' and [a-z] stand for characters other than '/'.
  virtual bool MatchPath(const std::string& path, const std::string& pattern) {
    return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
  }
  // In order; none is no error.
  virtual absl::Status GetMatchingPaths(const std::string& pattern,
                                        std::vector<std::string>* results) {
    results->clear();
    glob_t found = {};
    const int code = glob(pattern.c_str(), 0, nullptr, &found);
    results->assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    if (code == 0 || code == GLOB_NOMATCH) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("cannot search for ", pattern));
  }
  virtual absl::Status Stat(const std::string& fname, FileStatistics* stat) {
    struct stat info;
    if (::stat(fname.c_str(), &info) != 0) return internal::FileError(fname);
    *stat = {
        info.st_size,
        info.st_mtim.tv_sec * int64_t{1'000'000'000} + info.st_mtim.tv_nsec,
        S_ISDIR(info.st_mode)};
    return absl::OkStatus();
  }
  // Errors: FailedPrecondition for a file.
  absl::Status IsDirectory(const std::string& fname) {
    FileStatistics statistics;
    TF_RETURN_IF_ERROR(Stat(fname, &statistics));
    if (statistics.is_directory) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat(fname, " is not a directory"));
  }
  absl::Status GetFileSize(const std::string& fname, uint64_t* file_size) {
    FileStatistics statistics;
    TF_RETURN_IF_ERROR(Stat(fname, &statistics));
    *file_size = statistics.length;
    return absl::OkStatus();
  }

  virtual absl::Status DeleteFile(const std::string& fname) {
    return unlink(fname.c_str()) == 0 ? absl::OkStatus()
                                      : internal::FileError(fname);
  }
  virtual absl::Status CreateDir(const std::string& dirname) {
    return mkdir(dirname.c_str(), 0755) == 0 ? absl::OkStatus()
                                             : internal::FileError(dirname);
  }
  virtual absl::Status RecursivelyCreateDir(const std::string& dirname) {
    std::error_code error;
    std::filesystem::create_directories(dirname, error);
    return FromCode(error, dirname);
  }
  virtual absl::Status DeleteDir(const std::string& dirname) {
    return rmdir(dirname.c_str()) == 0 ? absl::OkStatus()
                                       : internal::FileError(dirname);
  }
  // Counts what stays: everything or nothing.
  virtual absl::Status DeleteRecursively(const std::string& dirname,
                                         int64_t* undeleted_files,
                                         int64_t* undeleted_dirs) {
    *undeleted_files = 0;
    *undeleted_dirs = 1;
    TF_RETURN_IF_ERROR(FileExists(dirname));
    std::error_code error;
    std::filesystem::remove_all(dirname, error);
    if (!error) *undeleted_dirs = 0;
    return FromCode(error, dirname);
  }
  virtual absl::Status RenameFile(const std::string& src,
                                  const std::string& target) {
    return rename(src.c_str(), target.c_str()) == 0 ? absl::OkStatus()
                                                    : internal::FileError(src);
  }
  virtual absl::Status CopyFile(const std::string& src,
                                const std::string& target) {
    std::error_code error;
    std::filesystem::copy_file(
        src, target, std::filesystem::copy_options::overwrite_existing, error);
    return FromCode(error, src);
  }

  std::string GetExecutablePath() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).string();
  }
  // Sets the name of a file that does not exist yet; false if there is none.
  bool LocalTempFilename(std::string* filename) {
    std::vector<std::string> folders;
    GetLocalTempDirectories(&folders);
    for (const std::string& folder : folders) {
      *filename = io::JoinPath(folder, "tessera-");
      if (CreateUniqueFileName(filename, "")) return true;
    }
    return false;
  }
  // Appends characters, and the suffix, to the prefix.
  bool CreateUniqueFileName(std::string* prefix, const std::string& suffix) {
    static std::atomic<uint64_t> next{0};
    const std::string name =
        absl::StrCat(*prefix, absl::Hex(getpid()), "-",
                     absl::Hex(NowNanos() + next.fetch_add(1)), suffix);
    if (FileExists(name).ok()) return false;
    *prefix = name;
    return true;
  }
  virtual void GetLocalTempDirectories(std::vector<std::string>* list) {
    list->clear();
    for (const char* variable : {"TEST_TMPDIR", "TMPDIR", "TMP"}) {
      const char* folder = std::getenv(variable);
      if (folder != nullptr && IsDirectory(folder).ok()) {
        list->push_back(folder);
      }
    }
    list->push_back("/tmp");
  }

  virtual uint64_t NowNanos() const { return EnvTime::NowNanos(); }
  virtual uint64_t NowMicros() const { return EnvTime::NowMicros(); }
  virtual uint64_t NowSeconds() const { return EnvTime::NowSeconds(); }
  virtual void SleepForMicroseconds(int64_t micros) {
    std::this_thread::sleep_for(std::chrono::microseconds(micros));
  }

  int32_t GetProcessId() { return getpid(); }
  virtual int64_t GetCurrentThreadId() { return gettid(); }
  // The caller owns it.
  [[nodiscard]] virtual Thread* StartThread(const ThreadOptions& thread_options,
                                            const std::string& name,
                                            absl::AnyInvocable<void()> fn) {
    return new JoiningThread(std::move(fn));
  }
  virtual void StartDetachedThread(const ThreadOptions& thread_options,
                                   const std::string& name,
                                   absl::AnyInvocable<void()> fn) {
    std::thread(std::move(fn)).detach();
  }
  virtual void SchedClosure(absl::AnyInvocable<void()> closure) {
    std::thread(std::move(closure)).detach();
  }
  virtual void SchedClosureAfter(int64_t micros,
                                 absl::AnyInvocable<void()> closure) {
    SchedClosure([this, micros, closure = std::move(closure)]() mutable {
      SleepForMicroseconds(micros);
      closure();
    });
  }

 private:
  class JoiningThread : public Thread {
   public:
    explicit JoiningThread(absl::AnyInvocable<void()> fn)
        : thread_(std::move(fn)) {}
    ~JoiningThread() override { thread_.join(); }

   private:
    std::thread thread_;
  };

  template <typename File>
  static absl::Status Open(const std::string& name, int flags,
                           std::unique_ptr<File>* result) {
    TF_ASSIGN_OR_RETURN(*result, internal::OpenFile::Open(name, flags));
    return absl::OkStatus();
  }
  static absl::Status FromCode(std::error_code error, const std::string& name) {
    if (!error) return absl::OkStatus();
    return absl::ErrnoToStatus(error.value(), name);
  }
};

}  // namespace tsl

#include "xla/tsl/platform/whole_files.h"  // IWYU pragma: export

#endif  // COMPAT_XLA_TSL_PLATFORM_ENV_H_
