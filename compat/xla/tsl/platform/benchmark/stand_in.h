// The names of benchmark/benchmark.h that tests use, without the library: tests
// that define benchmarks compile, and RunSpecifiedBenchmarks measures them, one
// number each. Initialize keeps the flags.
#ifndef COMPAT_XLA_TSL_PLATFORM_BENCHMARK_STAND_IN_H_
#define COMPAT_XLA_TSL_PLATFORM_BENCHMARK_STAND_IN_H_

// Makes a later include of the library's header empty.
#define BENCHMARK_BENCHMARK_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "xla/tsl/platform/benchmark/benchmark_case.h"
#include "xla/tsl/platform/benchmark/benchmark_state.h"  // IWYU pragma: export

namespace benchmark {
// Programs may have both this and the library.
inline namespace tessera {
namespace internal {

using Benchmark = ::benchmark::tessera::BenchmarkCase;

inline std::vector<std::unique_ptr<Benchmark>>& Registry() {
  static auto* const registry = new std::vector<std::unique_ptr<Benchmark>>;
  return *registry;
}
inline Benchmark* RegisterBenchmarkInternal(
    std::unique_ptr<Benchmark> benchmark) {
  Registry().push_back(std::move(benchmark));
  return Registry().back().get();
}

}  // namespace internal

template <typename Function, typename... Args>
internal::Benchmark* RegisterBenchmark(const std::string& name,
                                       Function function, Args... args) {
  return internal::RegisterBenchmarkInternal(
      std::make_unique<internal::Benchmark>(
          name, [function, args...](State& state) mutable {
            function(state, args...);
          }));
}
inline void ClearRegisteredBenchmarks() { internal::Registry().clear(); }

inline void Initialize(int* argc, char** argv, void (*print_help)() = nullptr) {
}
inline bool ReportUnrecognizedArguments(int argc, char** argv) { return false; }
inline void Shutdown() {}
// Prints a line for each; returns how many ran.
inline size_t RunSpecifiedBenchmarks() {
  size_t count = 0;
  for (const auto& benchmark : internal::Registry()) count += benchmark->Run();
  return count;
}

}  // namespace tessera
}  // namespace benchmark

#define TESSERA_BENCHMARK_CONCAT_INNER_(a, b) a##b
#define TESSERA_BENCHMARK_CONCAT_(a, b) TESSERA_BENCHMARK_CONCAT_INNER_(a, b)
#define TESSERA_BENCHMARK_                                        \
  [[maybe_unused]] static ::benchmark::internal::Benchmark* const \
  TESSERA_BENCHMARK_CONCAT_(tessera_benchmark_, __COUNTER__)

// BENCHMARK(BM_Name)->Arg(8); and its variants.
#define BENCHMARK(...) \
  TESSERA_BENCHMARK_ = ::benchmark::RegisterBenchmark(#__VA_ARGS__, __VA_ARGS__)
#define BENCHMARK_CAPTURE(function, name, ...)         \
  TESSERA_BENCHMARK_ = ::benchmark::RegisterBenchmark( \
      #function "/" #name,                             \
      [](::benchmark::State& state) { function(state, __VA_ARGS__); })
#define BENCHMARK_TEMPLATE(function, ...) BENCHMARK(function<__VA_ARGS__>)
#define BENCHMARK_TEMPLATE1(function, a) BENCHMARK(function<a>)
#define BENCHMARK_TEMPLATE2(function, a, b) BENCHMARK(function<a, b>)
#define BENCHMARK_MAIN()                   \
  int main(int argc, char** argv) {        \
    ::benchmark::Initialize(&argc, argv);  \
    ::benchmark::RunSpecifiedBenchmarks(); \
    return 0;                              \
  }                                        \
  static_assert(true, "takes the semicolon")
#ifndef BENCHMARK_UNUSED
#define BENCHMARK_UNUSED [[maybe_unused]]
#endif

#endif  // COMPAT_XLA_TSL_PLATFORM_BENCHMARK_STAND_IN_H_
