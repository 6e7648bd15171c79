// State: one run of a benchmark of the stand-in.
#ifndef COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_STATE_H_
#define COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_STATE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace benchmark {
inline namespace tessera {

// Keep the compiler from dropping what computes a value, and stores.
template <typename T>
void DoNotOptimize(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}
inline void ClobberMemory() { asm volatile("" : : : "memory"); }

using IterationCount = int64_t;
enum TimeUnit { kNanosecond, kMicrosecond, kMillisecond, kSecond };
enum BigO { oNone, o1, oN, oNSquared, oNCubed, oLogN, oNLogN, oAuto, oLambda };

struct Counter {
  enum Flags {
    kDefaults = 0,
    kIsRate = 1,
    kAvgThreads = 2,
    kAvgThreadsRate = kIsRate | kAvgThreads,
    kIsIterationInvariant = 4,
    kIsIterationInvariantRate = kIsRate | kIsIterationInvariant,
    kAvgIterations = 8,
    kAvgIterationsRate = kIsRate | kAvgIterations,
    kInvert = 1 << 30,
  };
  enum OneK { kIs1000 = 1000, kIs1024 = 1024 };

  Counter(double value = 0.0, Flags flags = kDefaults,  // NOLINT: converts
          OneK one_k = kIs1000)
      : value(value), flags(flags), oneK(one_k) {}
  operator double&() { return value; }              // NOLINT: converts
  operator const double&() const { return value; }  // NOLINT: converts

  double value;
  Flags flags;
  OneK oneK;
};
using UserCounters = std::map<std::string, Counter>;

// Counts iterations, and the time between the first and the last.
class State {
 public:
  State(IterationCount max_iterations, std::vector<int64_t> ranges)
      : max_iterations(max_iterations), ranges_(std::move(ranges)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // for (auto s : state) runs the body once for each iteration.
  struct [[maybe_unused]] Value {};
  class Iterator {
   public:
    explicit Iterator(State* state) : state_(state) {}
    Value operator*() const { return {}; }
    Iterator& operator++() { return *this; }
    bool operator!=(const Iterator&) const { return state_->KeepRunning(); }

   private:
    State* state_;
  };
  Iterator begin() { return Iterator(this); }
  Iterator end() { return Iterator(this); }
  bool KeepRunning() { return KeepRunningBatch(1); }
  bool KeepRunningBatch(IterationCount count) {
    if (!started_) {
      started_ = true;
      ResumeTiming();
    }
    if (!skipped_ && done_ < max_iterations) {
      done_ += count;
      return true;
    }
    if (running_) PauseTiming();
    return false;
  }
  void PauseTiming() {
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
    running_ = false;
  }
  void ResumeTiming() {
    running_ = true;
    start_ = Clock::now();
  }
  // Replaces the time that was measured.
  void SetIterationTime(double seconds) { manual_seconds_ += seconds; }

  void SkipWithError(const std::string& message) { Skip(message); }
  void SkipWithMessage(const std::string& message) { Skip(message); }
  bool error_occurred() const { return skipped_; }
  bool skipped() const { return skipped_; }

  void SetItemsProcessed(int64_t items) { items_ = items; }
  int64_t items_processed() const { return items_; }
  void SetBytesProcessed(int64_t bytes) { bytes_ = bytes; }
  int64_t bytes_processed() const { return bytes_; }
  void SetLabel(const std::string& label) { label_ = label; }
  void SetComplexityN(int64_t n) { complexity_n_ = n; }
  int64_t complexity_length_n() const { return complexity_n_; }

  int64_t range(size_t position = 0) const { return ranges_.at(position); }
  IterationCount iterations() const { return done_; }
  int threads() const { return 1; }
  int thread_index() const { return 0; }

  // Of the run, for its report.
  const std::string& label() const { return label_; }
  double seconds() const {
    return manual_seconds_ > 0 ? manual_seconds_ : seconds_;
  }

  const IterationCount max_iterations;
  UserCounters counters;

 private:
  using Clock = std::chrono::steady_clock;

  void Skip(const std::string& message) {
    skipped_ = true;
    label_ = message;
  }

  const std::vector<int64_t> ranges_;
  IterationCount done_ = 0;
  bool started_ = false;
  bool running_ = false;
  bool skipped_ = false;
  Clock::time_point start_;
  double seconds_ = 0;
  double manual_seconds_ = 0;
  int64_t items_ = 0;
  int64_t bytes_ = 0;
  int64_t complexity_n_ = 0;
  std::string label_;
};

}  // namespace tessera
}  // namespace benchmark

#endif  // COMPAT_XLA_TSL_PLATFORM_BENCHMARK_BENCHMARK_STATE_H_
