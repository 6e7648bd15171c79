// Files appear whole, by link and rename; readers look again until they do.
#include "xla/distributed/rendezvous/file_store.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <system_error>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "xla/base/logging.h"
#include "xla/base/stable_hash.h"
#include "xla/base/status_macros.h"
#include "xla/runtime/wait_watch.h"

namespace xla::distributed {
namespace {

constexpr absl::Duration kLookAgain = absl::Milliseconds(2);

std::string RandomName() {
  std::random_device source;
  return absl::StrCat(absl::Hex(source(), absl::kZeroPad8),
                      absl::Hex(source(), absl::kZeroPad8));
}

absl::Status FileError(absl::string_view what, const std::string& path) {
  return absl::UnavailableError(
      absl::StrCat("cannot ", what, " ", path, ": ", std::strerror(errno)));
}

absl::Status MakeDirectory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot make ", path, ": ", error.message()));
}

// Writes a file of another name beside `path` and returns the name.
absl::StatusOr<std::string> WriteAside(const std::string& path,
                                       absl::string_view value) {
  const std::string aside = absl::StrCat(path, ".", RandomName());
  std::ofstream file(aside, std::ios::binary);
  file.write(value.data(), static_cast<std::streamsize>(value.size()));
  file.close();
  if (!file) return FileError("write", aside);
  return aside;
}

absl::Status Replace(const std::string& path, absl::string_view value) {
  TF_ASSIGN_OR_RETURN(const std::string aside, WriteAside(path, value));
  if (std::rename(aside.c_str(), path.c_str()) == 0) return absl::OkStatus();
  return FileError("rename to", path);
}

// Returns nothing unless the file is there.
std::string ReadIfThere(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The processes of a job agree on its name in three kinds of files, which an
// earlier job may have left behind: process p writes `hello.p`, a random name
// of its own. Process 0 writes `job`, the hellos that it finds, again whenever
// they change. A process that finds its hello there answers with `ready.p`,
// which has the hash of all of `job`. When all answers fit, process 0 writes
// `go`, the name of the job.
class Meeting {
 public:
  Meeting(std::string directory, int process, int num_processes)
      : directory_(std::move(directory)),
        process_(process),
        num_processes_(num_processes),
        hello_(RandomName()) {}

  absl::StatusOr<std::string> Meet(absl::Time deadline) {
    TF_RETURN_IF_ERROR(MakeDirectory(directory_));
    TF_RETURN_IF_ERROR(Replace(Path("hello", process_), hello_));
    WaitReminder reminder;
    while (true) {
      if (process_ == 0) TF_RETURN_IF_ERROR(Lead());
      TF_RETURN_IF_ERROR(Answer());
      const std::string go = ReadIfThere(Path("go"));
      if (!job_.empty() && go == NameOf(job_)) return go;
      const absl::Time now = absl::Now();
      if (now >= deadline) {
        return absl::DeadlineExceededError(
            WaitedForMissing(" waited in vain in "));
      }
      if (reminder.IsDue(now)) {
        LOG(WARNING) << WaitedForMissing(
            absl::StrCat(" has waited for ",
                         absl::FormatDuration(reminder.Waited(now)), " in "));
      }
      absl::SleepFor(kLookAgain);
    }
  }

 private:
  std::string Path(absl::string_view name) const {
    return absl::StrCat(directory_, "/", name);
  }
  std::string Path(absl::string_view name, int process) const {
    return absl::StrCat(directory_, "/", name, ".", process);
  }
  static std::string NameOf(absl::string_view job) {
    return absl::StrCat("job-", absl::Hex(StableHash(job), absl::kZeroPad16));
  }

  absl::Status Lead() {
    std::vector<std::string> hellos;
    bool all_ready = true;
    for (int p = 0; p < num_processes_; ++p) {
      hellos.push_back(ReadIfThere(Path("hello", p)));
      if (hellos.back().empty()) return absl::OkStatus();
    }
    const std::string job = absl::StrJoin(hellos, " ");
    if (job != led_) {
      TF_RETURN_IF_ERROR(Replace(Path("job"), job));
      led_ = job;
    }
    for (int p = 0; p < num_processes_ && all_ready; ++p) {
      all_ready = ReadIfThere(Path("ready", p)) == NameOf(job);
    }
    if (!all_ready) return absl::OkStatus();
    return Replace(Path("go"), NameOf(job));
  }

  absl::Status Answer() {
    const std::string job = ReadIfThere(Path("job"));
    if (job == job_) return absl::OkStatus();
    const std::vector<absl::string_view> hellos = absl::StrSplit(job, ' ');
    if (static_cast<int>(hellos.size()) != num_processes_ ||
        hellos[process_] != hello_) {
      return absl::OkStatus();
    }
    job_ = job;
    return Replace(Path("ready", process_), NameOf(job));
  }

  std::string WaitedForMissing(absl::string_view waited) const {
    std::vector<int> missing;
    for (int p = 0; p < num_processes_; ++p) {
      if (ReadIfThere(Path("ready", p)) != NameOf(job_)) missing.push_back(p);
    }
    return absl::StrCat("process ", process_, " of ", num_processes_, waited,
                        directory_, " for processes ",
                        absl::StrJoin(missing, ","));
  }

  const std::string directory_;
  const int process_;
  const int num_processes_;
  const std::string hello_;
  std::string led_;  // what process 0 wrote last
  std::string job_;  // what this process answered to
};

}  // namespace

absl::StatusOr<std::unique_ptr<FileStore>> FileStore::Open(
    const std::string& directory, int process, int num_processes,
    absl::Duration timeout) {
  Meeting meeting(directory, process, num_processes);
  TF_ASSIGN_OR_RETURN(const std::string job,
                      meeting.Meet(absl::Now() + timeout));
  const std::string path = absl::StrCat(directory, "/", job);
  TF_RETURN_IF_ERROR(MakeDirectory(path));
  return std::unique_ptr<FileStore>(new FileStore(path));
}

std::string FileStore::PathOf(absl::string_view key) const {
  return absl::StrCat(directory_, "/", absl::WebSafeBase64Escape(key));
}

absl::Status FileStore::Put(absl::string_view key, absl::string_view value) {
  const std::string path = PathOf(key);
  // One byte before the value tells an empty one from a missing file.
  TF_ASSIGN_OR_RETURN(const std::string aside,
                      WriteAside(path, absl::StrCat("=", value)));
  const int linked = link(aside.c_str(), path.c_str());
  const int error = errno;
  unlink(aside.c_str());
  if (linked == 0) return absl::OkStatus();
  errno = error;
  if (error == EEXIST) {
    return absl::AlreadyExistsError(absl::StrCat("key ", key, " is there"));
  }
  return FileError("make", path);
}

absl::StatusOr<std::string> FileStore::Get(absl::string_view key,
                                           absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  while (true) {
    absl::StatusOr<std::string> value = TryGet(key);
    if (value.ok() || !absl::IsNotFound(value.status())) return value;
    if (absl::Now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat(
          "key ", key, " did not come in ", absl::FormatDuration(timeout)));
    }
    absl::SleepFor(kLookAgain);
  }
}

absl::StatusOr<std::string> FileStore::TryGet(absl::string_view key) {
  const std::string text = ReadIfThere(PathOf(key));
  if (!text.empty()) return text.substr(1);
  return absl::NotFoundError(absl::StrCat("there is no key ", key));
}

}  // namespace xla::distributed
