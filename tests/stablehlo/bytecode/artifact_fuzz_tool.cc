// Feeds the reader of artifacts with changed ones and checks that it returns,
// and that what it accepts prints:
//
//   artifact_fuzz_tool COUNT SEED FILE.mlirbc...
//   artifact_fuzz_tool =ITERATION SEED FILE.mlirbc...  (that one alone)
//   artifact_fuzz_tool show FILE.mlirbc...             (the trees of files)
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tests/fuzz/mutator.h"
#include "xla/stablehlo/bytecode/bytecode_reader.h"
#include "xla/stablehlo/tree_text.h"

// No allocation may be larger than this where the address sanitizer is in.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=256:detect_leaks=0:handle_abort=1";
}
extern "C" void __sanitizer_set_death_callback(void (*callback)())
    __attribute__((weak));

namespace xla::stablehlo {
namespace {

constexpr int kSecondsPerInput = 10;

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

// Bytes set at random to ones that mean something: small numbers, flags,
// section marks, long numbers. Keeps the header and most of the structure.
std::string Sprinkled(std::string bytes, Mutator& mutator) {
  static constexpr unsigned char kBytes[] = {0,    1,    2,    3,    4,    5,
                                             7,    8,    9,    0x10, 0x20, 0x40,
                                             0x7f, 0x80, 0xcb, 0xfe, 0xff};
  if (bytes.size() < 32) return bytes;
  for (uint64_t count = 1 + mutator.Below(4); count > 0; --count) {
    const size_t place = 20 + mutator.Below(bytes.size() - 20);
    bytes[place] = mutator.Below(2) == 0
                       ? kBytes[mutator.Below(std::size(kBytes))]
                       : bytes[place] + static_cast<char>(mutator.Below(9)) - 4;
  }
  return bytes;
}

// False: refused.
bool RunOne(uint64_t iteration, uint64_t seed,
            const std::vector<std::string>& seeds) {
  current_iteration = iteration;
  Mutator mutator(seed * 1000003 + iteration);
  const std::string& original = seeds[mutator.Below(seeds.size())];
  const std::string input = mutator.Below(4) == 0
                                ? mutator.Bytes(original)
                                : Sprinkled(original, mutator);
  alarm(kSecondsPerInput);
  auto module = ReadBytecode(input);
  if (module.ok()) (void)TreeToString(**module);
  alarm(0);
  return module.ok();
}

int Show(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    auto module = ReadBytecode(file);
    if (!module.ok()) {
      std::cerr << module.status() << "\n";
      return 1;
    }
    std::cout << TreeToString(**module);
  }
  return 0;
}

int Main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: artifact_fuzz_tool COUNT SEED FILE...\n";
    return 2;
  }
  const bool show = absl::string_view(argv[1]) == "show";
  std::vector<std::string> seeds;
  for (int i = show ? 2 : 3; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file),
                       std::istreambuf_iterator<char>());
  }
  if (show) return Show(seeds);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(ReportIteration);
  } else {
    for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
      signal(number, OnSignal);
    }
  }
  signal(SIGALRM, OnSignal);
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  if (argv[1][0] == '=') {
    const uint64_t iteration = std::strtoull(argv[1] + 1, nullptr, 10);
    std::cout << (RunOne(iteration, seed, seeds) ? "accepted" : "refused")
              << "\n";
    return 0;
  }
  const uint64_t count = std::strtoull(argv[1], nullptr, 10);
  uint64_t accepted = 0;
  for (uint64_t i = 0; i < count; ++i) accepted += RunOne(i, seed, seeds);
  std::cout << count << " inputs, " << accepted << " accepted\n";
  return accepted > 0 ? 0 : 1;
}

}  // namespace
}  // namespace xla::stablehlo

int main(int argc, char** argv) { return xla::stablehlo::Main(argc, argv); }
