// The thread that draws, and what it asks the system.
#include "xla/tools/progress/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "xla/tools/progress/progress_display.h"

namespace xla::tools {
namespace {

// How often the line is written.
constexpr std::chrono::milliseconds kPace{200};

// TERM says whether control sequences move the cursor.
bool IsTerminal() {
  const char* const term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr &&
         absl::string_view(term) != "dumb" && !absl::string_view(term).empty();
}

// Writes past std::cerr, which other threads may use; what a closed terminal
// does not take is lost.
void WriteToTerminal(absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(written);
  }
}

int64_t ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return -1;
  long long total = 0, resident = -1;
  const int read = std::fscanf(file, "%lld %lld", &total, &resident);
  std::fclose(file);
  return read == 2 ? resident * sysconf(_SC_PAGESIZE) : -1;
}

int TerminalColumns() {
  winsize size{};
  constexpr int kUsual = 80;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
    return kUsual;
  }
  return size.ws_col;
}

}  // namespace

class Progress::Drawer {
 public:
  Drawer(const Activity* activity, absl::Duration delay)
      : display_(activity, {.delay = delay,
                            .clock = absl::Now,
                            .write = WriteToTerminal,
                            .resident_bytes = ResidentBytes,
                            .columns = TerminalColumns}) {
    display_.Update();
    thread_ = std::thread([this] { Draw(); });
  }
  ~Drawer() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void Draw() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, kPace, [this] { return ends_; })) {
      display_.Update();
    }
  }

  ProgressDisplay display_;  // used by the thread while it runs
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ends_ = false;
  std::thread thread_;
};

void AddProgressFlag(CLI::App& command, std::string* mode) {
  *mode = "auto";
  command
      .add_option("--progress", *mode,
                  "Show on standard error what takes so long: auto, on "
                  "terminals and after two seconds; always; never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

Progress::Progress(absl::string_view mode, absl::string_view phase,
                   absl::string_view detail)
    : scope_(mode == "always" || (mode == "auto" && IsTerminal()) ? &activity_
                                                                  : nullptr),
      drawer_([&]() -> std::unique_ptr<Drawer> {
        if (Activity::Current() != &activity_) return nullptr;
        activity_.Begin(phase, detail);
        return std::make_unique<Drawer>(&activity_, mode == "always"
                                                        ? absl::ZeroDuration()
                                                        : absl::Seconds(2));
      }()) {}

Progress::~Progress() = default;

}  // namespace xla::tools
