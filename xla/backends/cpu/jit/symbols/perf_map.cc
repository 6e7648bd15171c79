// Files stay open until the process ends. A forked child writes its own.
#include "xla/backends/cpu/jit/symbols/perf_map.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "xla/base/status_macros.h"

namespace xla::cpu {
namespace {

// The layout of the file's header and of a record that loads code, by the
// kernel's tools/perf/Documentation/jitdump-specification.txt.
struct JitdumpHeader {
  uint32_t magic = 0x4A695444;  // "JiTD"
  uint32_t version = 1;
  uint32_t total_size = sizeof(JitdumpHeader);
  uint32_t machine = 0;
  uint32_t padding = 0;
  uint32_t process = 0;
  uint64_t timestamp = 0;
  uint64_t flags = 0;
};
static_assert(sizeof(JitdumpHeader) == 40);

struct JitdumpLoad {
  uint32_t id = 0;  // JIT_CODE_LOAD
  uint32_t total_size = 0;
  uint64_t timestamp = 0;
  uint32_t process = 0;
  uint32_t thread = 0;
  uint64_t virtual_address = 0;
  uint64_t code_address = 0;
  uint64_t code_size = 0;
  uint64_t code_index = 0;
  // The name, with a zero at its end, and the code follow.
};
static_assert(sizeof(JitdumpLoad) == 56);

#if defined(__aarch64__)
constexpr uint32_t kElfMachine = EM_AARCH64;
#else
constexpr uint32_t kElfMachine = EM_X86_64;
#endif

uint64_t MonotonicNanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// A file that this process appends to.
class AppendedFile {
 public:
  // The file is `prefix`PID`suffix`.
  AppendedFile(const char* prefix, const char* suffix)
      : prefix_(prefix), suffix_(suffix) {}

  // Appends `bytes`. `start` makes the first bytes of a new file, and sees it
  // (path, descriptor) before they are written.
  template <typename Start>
  absl::Status Append(absl::string_view bytes, const Start& start) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (process_ != getpid()) {
      if (file_ >= 0) close(file_);
      process_ = getpid();
      path_ = absl::StrCat(prefix_, process_, suffix_);
      // Nobody may have put a link there, and a file is that of an earlier
      // process with this number.
      unlink(path_.c_str());
      file_ = open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
      const absl::Status status = file_ < 0 ? Failed("opening") : Begin(start);
      if (!status.ok()) {
        process_ = -1;  // so that the next call tries again
        return status;
      }
    }
    return Write(bytes);
  }

 private:
  template <typename Start>
  absl::Status Begin(const Start& start) {
    TF_ASSIGN_OR_RETURN(const std::string bytes, start(path_, file_));
    return Write(bytes);
  }

  absl::Status Failed(absl::string_view what) const {
    return absl::InternalError(absl::StrCat("TESSERA_JIT_SYMBOLS: ", what, " ",
                                            path_, ": ", std::strerror(errno)));
  }

  absl::Status Write(absl::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return Failed("writing");
      bytes.remove_prefix(written);
    }
    return absl::OkStatus();
  }

  const char* const prefix_;
  const char* const suffix_;
  std::mutex mutex_;  // guards the members below
  pid_t process_ = -1;
  int file_ = -1;
  std::string path_;
};

template <typename T>
void AppendBytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// perf notes the file of a process because of a mapping of it as code.
absl::StatusOr<std::string> StartJitdump(const std::string& path, int file) {
  JitdumpHeader header;
  header.machine = kElfMachine;
  header.process = getpid();
  header.timestamp = MonotonicNanoseconds();
  std::string bytes;
  AppendBytes(header, bytes);
  const long page = sysconf(_SC_PAGESIZE);
  if (mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) ==
      MAP_FAILED) {
    return absl::InternalError(
        absl::StrCat("TESSERA_JIT_SYMBOLS: mapping ", path,
                     " as code: ", std::strerror(errno)));
  }
  return bytes;
}

std::atomic<uint64_t> next_code_index{0};

}  // namespace

absl::Status AppendToPerfMap(absl::Span<const CodeSymbol> symbols) {
  static auto* const file = new AppendedFile("/tmp/perf-", ".map");
  std::string lines;
  for (const CodeSymbol& symbol : symbols) {
    absl::StrAppendFormat(&lines, "%x %x %s\n",
                          reinterpret_cast<uintptr_t>(symbol.address),
                          symbol.size_bytes, symbol.name);
  }
  return file->Append(lines, [](const std::string&, int) {
    return absl::StatusOr<std::string>("");
  });
}

absl::Status AppendToJitdump(absl::Span<const CodeSymbol> symbols) {
  static auto* const file = new AppendedFile("/tmp/jit-", ".dump");
  std::string records;
  for (const CodeSymbol& symbol : symbols) {
    JitdumpLoad load;
    load.total_size = sizeof(load) + symbol.name.size() + 1 + symbol.size_bytes;
    load.timestamp = MonotonicNanoseconds();
    load.process = getpid();
    load.thread = syscall(SYS_gettid);
    load.virtual_address = load.code_address =
        reinterpret_cast<uintptr_t>(symbol.address);
    load.code_size = symbol.size_bytes;
    load.code_index = next_code_index.fetch_add(1);
    AppendBytes(load, records);
    records.append(symbol.name.c_str(), symbol.name.size() + 1);
    records.append(static_cast<const char*>(symbol.address), symbol.size_bytes);
  }
  return file->Append(records, StartJitdump);
}

}  // namespace xla::cpu
