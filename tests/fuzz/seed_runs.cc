// A process runs seed after seed; where it ends early, another one goes on.
#include "tests/fuzz/seed_runs.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/core/literal/literal_io.h"

namespace xla::fuzz {
namespace {

constexpr int kSecondsPerRun = 60;

// Shared by the process that runs programs and the one that waits for it.
struct Progress {
  volatile uint64_t seed;
  volatile uint64_t failures;
};

// What is wrong with the end of a process, if anything. Sanitizers exit.
std::string EndOf(int status) {
  if (WIFEXITED(status)) {
    return WEXITSTATUS(status) == 0
               ? ""
               : absl::StrCat("crashed: exit status ", WEXITSTATUS(status));
  }
  if (WTERMSIG(status) == SIGALRM) return "hangs";
  return absl::StrCat("crashed: ", strsignal(WTERMSIG(status)));
}

}  // namespace

void* SharedZeros(size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

uint64_t RunSeeds(
    uint64_t first, uint64_t count,
    absl::FunctionRef<std::string(uint64_t seed)> run,
    absl::FunctionRef<void(uint64_t seed, const std::string& failure)> report) {
  auto* const progress = static_cast<Progress*>(SharedZeros(sizeof(Progress)));
  const uint64_t end = first + count;
  for (uint64_t next = first; next < end;) {
    std::cout.flush();
    const pid_t child = fork();
    if (child == 0) {
      for (uint64_t seed = next; seed < end; ++seed) {
        progress->seed = seed;
        alarm(kSecondsPerRun);
        const std::string failure = run(seed);
        alarm(0);
        if (failure.empty()) continue;
        progress->failures = progress->failures + 1;
        report(seed, failure);
      }
      std::cout.flush();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const std::string end_of_child = EndOf(status);
    if (end_of_child.empty()) break;
    progress->failures = progress->failures + 1;
    report(progress->seed, end_of_child);
    next = progress->seed + 1;
  }
  return progress->failures;
}

absl::Status SaveProgram(const HloModule& module,
                         const std::vector<Literal>& arguments,
                         const std::string& path) {
  std::ofstream text(path + ".hlo");
  text << module.ToString(HloPrintOptions::Lossless());
  std::vector<NamedLiteral> named;
  for (const Literal& argument : arguments) {
    named.push_back({absl::StrCat("arg", named.size()), argument.Clone()});
  }
  TF_ASSIGN_OR_RETURN(const std::string bytes, WriteNpz(named));
  std::ofstream archive(path + ".npz", std::ios::binary);
  archive << bytes;
  if (!text.flush() || !archive.flush()) {
    return absl::UnavailableError(
        absl::StrCat("cannot write ", path, ".hlo and .npz"));
  }
  return absl::OkStatus();
}

}  // namespace xla::fuzz
