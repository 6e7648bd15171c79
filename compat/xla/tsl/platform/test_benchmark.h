// Benchmarks within tests: those of the library of benchmark/benchmark.h if the
// program included it before or defines TESSERA_WITH_BENCHMARK, and links it;
// else a small stand-in, so that tests with benchmarks need no library.
#ifndef COMPAT_XLA_TSL_PLATFORM_TEST_BENCHMARK_H_
#define COMPAT_XLA_TSL_PLATFORM_TEST_BENCHMARK_H_

#include "tsl/platform/platform.h"  // IWYU pragma: export

#if defined(BENCHMARK_BENCHMARK_H_) || defined(TESSERA_WITH_BENCHMARK)
#include "benchmark/benchmark.h"  // IWYU pragma: export
#else
#include "xla/tsl/platform/benchmark/stand_in.h"  // IWYU pragma: export
#endif

namespace testing::benchmark {
using ::benchmark::State;  // NOLINT(misc-unused-using-decls)
}  // namespace testing::benchmark

namespace tsl::testing {

inline void InitializeBenchmarks(int* argc, char** argv) {
  ::benchmark::Initialize(argc, argv);
}
inline void RunBenchmarks() { ::benchmark::RunSpecifiedBenchmarks(); }
template <typename T>
void DoNotOptimize(const T& value) {
  ::benchmark::DoNotOptimize(value);
}

}  // namespace tsl::testing

#endif  // COMPAT_XLA_TSL_PLATFORM_TEST_BENCHMARK_H_
