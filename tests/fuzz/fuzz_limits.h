// Limits the resources that an input may take from a fuzzer, and reports the
// input that exceeded them or crashed.
#ifndef TESTS_FUZZ_FUZZ_LIMITS_H_
#define TESTS_FUZZ_FUZZ_LIMITS_H_

#include <cstdint>

namespace xla {

// Sets the number of the iteration that runs next.
void SetIteration(uint64_t iteration);

// Writes "FAILED at =ITERATION" to stderr; may be called in signal handlers.
void ReportIteration();

// From now on a crash reports the iteration and ends the program with exit code
// 3; `timer_signal` does so with code 4. Using more than `bytes` of memory
// crashes, except under the address sanitizer, which has limits of its own.
void LimitMemoryAndReport(uint64_t bytes, int timer_signal);

}  // namespace xla

#endif  // TESTS_FUZZ_FUZZ_LIMITS_H_
