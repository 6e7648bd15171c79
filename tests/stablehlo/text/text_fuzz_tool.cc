// Feeds the reader of StableHLO text with changed programs:
//
//   text_fuzz_tool SECONDS SEED FILE.mlir...
//   text_fuzz_tool =ITERATION SEED FILE.mlir...
//
// Each must end in a tree, which prints, or in a Status, within a time and
// memory limit. A failure names its iteration, which the second form runs
// alone, after it has shown the input.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/mutator.h"
#include "xla/stablehlo/text/text_reader.h"
#include "xla/stablehlo/tree_text.h"

extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=1024:detect_leaks=0:handle_abort=1";
}
extern "C" void __sanitizer_set_death_callback(void (*callback)())
    __attribute__((weak));

namespace xla {
namespace {

constexpr int kSecondsPerInput = 20;

volatile uint64_t current_iteration = 0;

void ReportIteration() {
  char text[64];
  const int size =
      std::snprintf(text, sizeof(text), "\nFAILED at =%llu\n",
                    static_cast<unsigned long long>(current_iteration));
  if (write(STDERR_FILENO, text, size) < 0) _exit(3);
}

void OnSignal(int signal) {
  ReportIteration();
  _exit(signal == SIGALRM ? 4 : 3);
}

void LimitTimeAndMemory() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(ReportIteration);
  } else {
    constexpr rlim_t kBytes = rlim_t{4} << 30;
    const rlimit limit = {kBytes, kBytes};
    setrlimit(RLIMIT_AS, &limit);
    for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
      signal(number, OnSignal);
    }
  }
  signal(SIGALRM, OnSignal);
}

// Whether the reader takes the input of that iteration.
bool RunOne(const std::vector<std::string>& seeds, uint64_t seed,
            uint64_t iteration, bool show) {
  current_iteration = iteration;
  Mutator mutator(seed * 1000003 + iteration);
  const std::string input = mutator.Text(seeds[mutator.Below(seeds.size())],
                                         seeds[mutator.Below(seeds.size())]);
  if (show) std::cout << input << std::endl;
  alarm(kSecondsPerInput);
  const auto module = stablehlo::ReadText(input);
  if (module.ok()) (void)stablehlo::TreeToString(**module);
  if (show && !module.ok()) std::cout << module.status() << std::endl;
  alarm(0);
  return module.ok();
}

int Main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: text_fuzz_tool SECONDS|=ITERATION SEED FILE...\n";
    return 2;
  }
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  std::vector<std::string> seeds;
  for (int i = 3; i < argc; ++i) {
    std::ifstream file(argv[i]);
    seeds.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  LimitTimeAndMemory();
  if (argv[1][0] == '=') {
    RunOne(seeds, seed, std::strtoull(argv[1] + 1, nullptr, 10), true);
    return 0;
  }
  const std::time_t stop = std::time(nullptr) + std::atoi(argv[1]);
  uint64_t count = 0, accepted = 0;
  for (; std::time(nullptr) < stop; ++count) {
    accepted += RunOne(seeds, seed, count, false);
  }
  std::cout << count << " inputs, " << accepted << " accepted\n";
  return accepted > 0 ? 0 : 1;
}

}  // namespace
}  // namespace xla

int main(int argc, char** argv) { return xla::Main(argc, argv); }
