// Limits of what an input may take of a fuzzer's program, and a last word that
// names the input when it took more or crashed.
#ifndef TESTS_FUZZ_FUZZ_LIMITS_H_
#define TESTS_FUZZ_FUZZ_LIMITS_H_

#include <cstdint>

namespace xla {

// The iteration that runs from now on.
void SetIteration(uint64_t iteration);

// Writes "FAILED at =ITERATION" to stderr; for signal handlers, too.
void ReportIteration();

// From now on a crash reports the iteration and ends the program with exit code
// 3, and so does `timer_signal`, with 4. More memory than `bytes` crashes,
// except under the address sanitizer, which has limits of its own.
void LimitMemoryAndReport(uint64_t bytes, int timer_signal);

}  // namespace xla

#endif  // TESTS_FUZZ_FUZZ_LIMITS_H_
