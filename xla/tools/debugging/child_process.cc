// Forks, and reads what children write until they end or time is up.
#include "xla/tools/debugging/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/tools/debugging/temporary_folder.h"

namespace xla::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Bytes of standard error that are kept.
constexpr size_t kErrorBytes = 2000;
// The exit code of a child that returned its result.
constexpr int kReturnedCode = 0;

struct Pipe {
  int read = -1, write = -1;
};

absl::StatusOr<Pipe> MakePipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe");
  }
  return Pipe{ends[0], ends[1]};
}

void WriteAll(int file, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = write(file, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(kReturnedCode + 1);
    done += n;
  }
}

// The signals that end this process, and with it the child it waits for, which
// a terminal's Ctrl-C does not reach: it is in a group of its own.
constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int kSignals = sizeof(kEndingSignals) / sizeof(*kEndingSignals);

// The group that ends with this process; 0 if there is none.
volatile sig_atomic_t group_to_end = 0;
// The signal that came while the child ran; 0 if none did.
volatile sig_atomic_t signal_that_came = 0;
struct sigaction earlier_actions[kSignals];

void EndGroup(int signal_number) {
  signal_that_came = signal_number;
  if (group_to_end != 0) kill(-group_to_end, SIGKILL);
}

// Holds the signals back, so that none comes between fork and Watch.
class SignalsOfChild {
 public:
  SignalsOfChild() {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : kEndingSignals) sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, &mask_);
  }
  SignalsOfChild(const SignalsOfChild&) = delete;
  SignalsOfChild& operator=(const SignalsOfChild&) = delete;

  // To be called in the child: it has its parent's signals, and ends with it.
  void LetIn() const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

  // Lets signals end the group of `child`, too. Those that are ignored stay so.
  void Watch(pid_t child) const {
    group_to_end = child;
    struct sigaction action = {};
    action.sa_handler = EndGroup;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < kSignals; ++i) {
      sigaction(kEndingSignals[i], nullptr, &earlier_actions[i]);
      if (earlier_actions[i].sa_handler != SIG_IGN) {
        sigaction(kEndingSignals[i], &action, nullptr);
      }
    }
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  // If there is no child.
  void Release() const { pthread_sigmask(SIG_SETMASK, &mask_, nullptr); }

  // After the child has ended. If a signal ended it, does what that does
  // without a child, which is to end this process as well, as a rule.
  static void Unwatch() {
    group_to_end = 0;
    for (int i = 0; i < kSignals; ++i) {
      sigaction(kEndingSignals[i], &earlier_actions[i], nullptr);
    }
    const int came = signal_that_came;
    signal_that_came = 0;
    if (came == 0) return;
    TemporaryFolder::RemoveAll();
    raise(came);
  }

 private:
  sigset_t mask_;
};

// A child and what it writes. One at a time.
class Child {
 public:
  // `run` is called in the child with the ends to write to; it does not return.
  static absl::StatusOr<Child> Start(
      absl::FunctionRef<void(int result, int errors)> run) {
    TF_ASSIGN_OR_RETURN(const Pipe result, MakePipe());
    absl::StatusOr<Pipe> errors = MakePipe();
    if (!errors.ok()) {
      close(result.read);
      close(result.write);
      return errors.status();
    }
    const SignalsOfChild signals;
    const pid_t child = fork();
    if (child == 0) {
      // A group of its own, so that its children can be killed with it.
      setpgid(0, 0);
      signals.LetIn();
      run(result.write, errors->write);
      _exit(kReturnedCode + 1);
    }
    const int error = errno;
    close(result.write);
    close(errors->write);
    if (child < 0) {
      signals.Release();
      close(result.read);
      close(errors->read);
      return absl::ErrnoToStatus(error, "cannot make a process");
    }
    setpgid(child, child);
    signals.Watch(child);
    return Child(child, result.read, errors->read);
  }

  ChildResult Wait(double seconds) {
    ChildResult result;
    const bool in_time = Read(seconds, result);
    if (!in_time) kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    SignalsOfChild::Unwatch();
    close(result_);
    close(errors_);
    if (!in_time) {
      result.end = ChildResult::End::kTimeLimit;
    } else if (WIFSIGNALED(status)) {
      result.end = ChildResult::End::kCrashed;
      result.signal = strsignal(WTERMSIG(status));
    } else {
      result.exit_code = WEXITSTATUS(status);
    }
    return result;
  }

 private:
  Child(pid_t pid, int result, int errors)
      : pid_(pid), result_(result), errors_(errors) {}

  // Reads until both ends are closed; false if that takes too long.
  bool Read(double seconds, ChildResult& result) const {
    const Clock::time_point end =
        Clock::now() + std::chrono::milliseconds(
                           static_cast<int64_t>(std::min(seconds, 1e6) * 1e3));
    pollfd files[] = {{result_, POLLIN, 0}, {errors_, POLLIN, 0}};
    while ((files[0].fd >= 0 || files[1].fd >= 0) && signal_that_came == 0) {
      int wait_ms = -1;
      if (seconds > 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - Clock::now());
        if (left.count() <= 0) return false;
        wait_ms = static_cast<int>(left.count()) + 1;
      }
      if (poll(files, 2, wait_ms) <= 0) continue;
      ReadFrom(files[0], result.result);
      ReadFrom(files[1], result.errors);
      if (result.errors.size() > 2 * kErrorBytes) {
        result.errors.erase(0, result.errors.size() - kErrorBytes);
      }
    }
    return true;
  }

  static void ReadFrom(pollfd& file, std::string& text) {
    if (file.fd < 0 || file.revents == 0) return;
    char buffer[1 << 16];
    const ssize_t n = read(file.fd, buffer, sizeof(buffer));
    if (n > 0) {
      text.append(buffer, n);
    } else if (n == 0 || errno != EINTR) {
      file.fd = -1;
    }
  }

  pid_t pid_;
  int result_, errors_;
};

// Makes `file` standard output or error, and standard input empty.
void Redirect(int file, int to) {
  if (file < 0 || dup2(file, to) < 0) _exit(kReturnedCode + 1);
}

}  // namespace

absl::StatusOr<ChildResult> CallInChild(absl::FunctionRef<std::string()> work,
                                        double seconds) {
  TF_ASSIGN_OR_RETURN(
      Child child, Child::Start([&](int result, int errors) {
        Redirect(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        Redirect(errors, STDERR_FILENO);
        for (const int signal_number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) {
          signal(signal_number, SIG_DFL);
        }
        WriteAll(result, work());
        // Without destructors, which belong to the parent's objects.
        _exit(kReturnedCode);
      }));
  ChildResult result = child.Wait(seconds);
  if (result.end == ChildResult::End::kReturned &&
      result.exit_code != kReturnedCode) {
    result.end = ChildResult::End::kCrashed;
    result.signal = absl::StrCat("exit code ", result.exit_code);
  }
  return result;
}

absl::StatusOr<ChildResult> RunShellCommand(
    const std::string& command,
    const std::vector<std::pair<std::string, std::string>>& variables,
    double seconds) {
  TF_ASSIGN_OR_RETURN(Child child, Child::Start([&](int result, int errors) {
                        Redirect(open("/dev/null", O_RDONLY), STDIN_FILENO);
                        Redirect(result, STDOUT_FILENO);
                        Redirect(errors, STDERR_FILENO);
                        for (const auto& [name, value] : variables) {
                          setenv(name.c_str(), value.c_str(), /*replace=*/1);
                        }
                        execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
                        _exit(127);
                      }));
  return child.Wait(seconds);
}

}  // namespace xla::tools
