// BenchmarkCase: a benchmark of the stand-in and the arguments it runs with.
#ifndef COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_CASE_H_
#define COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_CASE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "xla/tsl/platform/benchmark/benchmark_state.h"

namespace benchmark {
inline namespace tessera {

// Setters can be chained; those without effect here return the benchmark.
class BenchmarkCase {
 public:
  BenchmarkCase(std::string name, std::function<void(State&)> function)
      : name_(std::move(name)), function_(std::move(function)) {}

  BenchmarkCase* Name(const std::string& name) {
    name_ = name;
    return this;
  }
  // Each adds a run, or several, with these arguments.
  BenchmarkCase* Arg(int64_t value) { return Args({value}); }
  BenchmarkCase* Args(const std::vector<int64_t>& values) {
    runs_.push_back(values);
    return this;
  }
  BenchmarkCase* ArgPair(int64_t x, int64_t y) { return Args({x, y}); }
  BenchmarkCase* DenseRange(int64_t start, int64_t limit, int step = 1) {
    for (int64_t value = start; value <= limit; value += step) Arg(value);
    return this;
  }
  BenchmarkCase* Range(int64_t start, int64_t limit) {
    return Ranges({{start, limit}});
  }
  BenchmarkCase* Ranges(
      const std::vector<std::pair<int64_t, int64_t>>& ranges) {
    std::vector<std::vector<int64_t>> lists;
    for (const auto& [start, limit] : ranges) {
      lists.push_back(PowersBetween(start, limit));
    }
    return ArgsProduct(lists);
  }
  BenchmarkCase* RangePair(int64_t start1, int64_t limit1, int64_t start2,
                           int64_t limit2) {
    return Ranges({{start1, limit1}, {start2, limit2}});
  }
  BenchmarkCase* RangeMultiplier(int multiplier) {
    multiplier_ = std::max(multiplier, 2);
    return this;
  }
  // All combinations, of which the last argument changes fastest.
  BenchmarkCase* ArgsProduct(const std::vector<std::vector<int64_t>>& lists) {
    std::vector<std::vector<int64_t>> runs = {{}};
    for (const std::vector<int64_t>& list : lists) {
      std::vector<std::vector<int64_t>> longer;
      for (const std::vector<int64_t>& run : runs) {
        for (const int64_t value : list) {
          longer.push_back(run);
          longer.back().push_back(value);
        }
      }
      runs = std::move(longer);
    }
    runs_.insert(runs_.end(), runs.begin(), runs.end());
    return this;
  }
  BenchmarkCase* Apply(const std::function<void(BenchmarkCase*)>& function) {
    function(this);
    return this;
  }
  BenchmarkCase* Iterations(IterationCount count) {
    iterations_ = count;
    return this;
  }
  BenchmarkCase* MinTime(double seconds) {
    min_seconds_ = seconds;
    return this;
  }
  BenchmarkCase* Unit(TimeUnit unit) {
    unit_ = unit;
    return this;
  }
  BenchmarkCase* ArgName(const std::string&) { return this; }
  BenchmarkCase* ArgNames(const std::vector<std::string>&) { return this; }
  BenchmarkCase* MinWarmUpTime(double) { return this; }
  BenchmarkCase* Repetitions(int) { return this; }
  BenchmarkCase* ReportAggregatesOnly(bool = true) { return this; }
  BenchmarkCase* MeasureProcessCPUTime() { return this; }
  BenchmarkCase* UseRealTime() { return this; }
  BenchmarkCase* UseManualTime() { return this; }
  BenchmarkCase* Complexity(BigO = oAuto) { return this; }
  BenchmarkCase* Threads(int) { return this; }
  BenchmarkCase* ThreadRange(int, int) { return this; }

  // Runs it with all its arguments; returns how often.
  size_t Run() const {
    if (runs_.empty()) {
      RunWith({});
      return 1;
    }
    for (const std::vector<int64_t>& arguments : runs_) RunWith(arguments);
    return runs_.size();
  }

 private:
  std::vector<int64_t> PowersBetween(int64_t start, int64_t limit) const {
    std::vector<int64_t> values = {start};
    for (int64_t value = 1; value < limit; value *= multiplier_) {
      if (value > start) values.push_back(value);
      if (value > limit / multiplier_) break;
    }
    if (limit > start) values.push_back(limit);
    return values;
  }

  // More and more iterations, until they last long enough.
  void RunWith(const std::vector<int64_t>& arguments) const {
    constexpr IterationCount kMaxIterations = 1'000'000'000;
    IterationCount count = iterations_ > 0 ? iterations_ : 1;
    while (true) {
      State state(count, arguments);
      function_(state);
      if (iterations_ > 0 || state.skipped() ||
          state.seconds() >= min_seconds_ || count >= kMaxIterations) {
        Print(state, arguments);
        return;
      }
      count *= 10;
    }
  }
  void Print(const State& state, const std::vector<int64_t>& arguments) const {
    constexpr const char* kUnits[] = {"ns", "us", "ms", "s"};
    constexpr double kPerSecond[] = {1e9, 1e6, 1e3, 1};
    std::string name = name_;
    for (const int64_t value : arguments) name += "/" + std::to_string(value);
    const IterationCount count =
        std::max<IterationCount>(state.iterations(), 1);
    std::printf("%-40s %12.3f %s %10lld %s\n", name.c_str(),
                state.seconds() * kPerSecond[unit_] / count, kUnits[unit_],
                static_cast<long long>(state.iterations()),
                state.label().c_str());
  }

  std::string name_;
  const std::function<void(State&)> function_;
  std::vector<std::vector<int64_t>> runs_;
  int multiplier_ = 8;
  IterationCount iterations_ = 0;
  double min_seconds_ = 0.1;
  TimeUnit unit_ = kNanosecond;
};

}  // namespace tessera
}  // namespace benchmark

#endif  // COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_CASE_H_
