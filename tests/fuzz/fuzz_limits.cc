// Implements limits with setrlimit() and signals.
#include "tests/fuzz/fuzz_limits.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <initializer_list>

extern "C" void __sanitizer_set_death_callback(void (*callback)())
    __attribute__((weak));

namespace xla {
namespace {

volatile uint64_t current_iteration = 0;
int time_is_up = 0;

void OnSignal(int signal) {
  ReportIteration();
  // Aborts, so that a debugger shows where the time went.
  if (signal == time_is_up && getenv("TESSERA_FUZZ_ABORT") != nullptr) abort();
  _exit(signal == time_is_up ? 4 : 3);
}

}  // namespace

void SetIteration(uint64_t iteration) { current_iteration = iteration; }

void ReportIteration() {
  char text[64];
  const int size =
      std::snprintf(text, sizeof(text), "\nFAILED at =%llu\n",
                    static_cast<unsigned long long>(current_iteration));
  if (write(STDERR_FILENO, text, size) < 0) _exit(3);
}

void LimitMemoryAndReport(uint64_t bytes, int timer_signal) {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(ReportIteration);
  } else {
    const rlimit limit = {bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    for (int number : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
      signal(number, OnSignal);
    }
  }
  time_is_up = timer_signal;
  signal(timer_signal, OnSignal);
}

}  // namespace xla
