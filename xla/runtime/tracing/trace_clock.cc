// The counter is x86-64's time-stamp counter (Intel SDM, volume 3, section
// "Invariant TSC") or aarch64's virtual counter (Arm ARM, "The Generic Timer").
#include "xla/runtime/tracing/trace_clock.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <limits>

#include "absl/time/clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>

#include <fstream>
#include <string>
#endif

namespace xla {
namespace {

// For how long the first session measures the rate.
constexpr int64_t kMeasureNs = 200'000;

int64_t SteadyNow() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

#if defined(__x86_64__)
int64_t ReadCounter() { return static_cast<int64_t>(__rdtsc()); }

// The processor says that the rate never changes; Linux uses the counter as its
// own clock only where all processors show the same.
bool CounterIsSteady() {
  unsigned eax, ebx, ecx, edx = 0;
  constexpr unsigned kPowerManagement = 0x8000'0007, kInvariantTsc = 1 << 8;
  if (!__get_cpuid(kPowerManagement, &eax, &ebx, &ecx, &edx) ||
      (edx & kInvariantTsc) == 0) {
    return false;
  }
  std::ifstream file(
      "/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return file >> source && source == "tsc";
}
#elif defined(__aarch64__)
int64_t ReadCounter() {
  int64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
}

bool CounterIsSteady() { return true; }
#else
int64_t ReadCounter() { return SteadyNow(); }
bool CounterIsSteady() { return false; }
#endif

struct Counter {
  int64_t begin;
  int64_t begin_ns;  // since the Unix epoch
  double ns_per_count;
};

Counter MeasureCounter() {
  const int64_t first_ns = SteadyNow();
  const int64_t first = ReadCounter();
  int64_t last_ns, last;
  do {
    last_ns = SteadyNow();
    last = ReadCounter();
  } while (last_ns - first_ns < kMeasureNs);
  return {last, absl::GetCurrentTimeNanos(),
          static_cast<double>(last_ns - first_ns) /
              static_cast<double>(std::max<int64_t>(last - first, 1))};
}

// Null while TraceNow reads the system's clock.
std::atomic<const Counter*> trace_counter{nullptr};

}  // namespace

int64_t TraceNow() {
  const Counter* counter = trace_counter.load(std::memory_order_acquire);
  if (counter == nullptr) return absl::GetCurrentTimeNanos();
  const int64_t count = ReadCounter() - counter->begin;
  return counter->begin_ns + static_cast<int64_t>(static_cast<double>(count) *
                                                  counter->ns_per_count);
}

void StartTraceClock() {
  static const bool started = [] {
    if (!CounterIsSteady()) return false;
    static const Counter counter = MeasureCounter();
    trace_counter.store(&counter, std::memory_order_release);
    return true;
  }();
  (void)started;
}

TraceClockReading TraceClockReading::Now() {
  // Of several readings the one during which least time passed.
  TraceClockReading best;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int i = 0; i < 4; ++i) {
    const int64_t before = SteadyNow();
    const TraceClockReading reading{TraceNow(), before,
                                    absl::GetCurrentTimeNanos()};
    const int64_t took = SteadyNow() - before;
    if (took < least) {
      least = took;
      best = reading;
    }
  }
  return best;
}

TraceClockTranslation::TraceClockTranslation(const TraceClockReading& begin,
                                             const TraceClockReading& end)
    : begin_ns_(begin.trace_ns),
      length_ns_(std::max<int64_t>(end.trace_ns - begin.trace_ns, 1)),
      offset_ns_(begin.unix_ns - begin.trace_ns),
      drift_(std::max(static_cast<double>((end.steady_ns - begin.steady_ns) -
                                          (end.trace_ns - begin.trace_ns)) /
                          static_cast<double>(length_ns_),
                      -1.0)) {}

int64_t TraceClockTranslation::UnixNanos(int64_t trace_ns) const {
  const int64_t since_begin =
      std::clamp<int64_t>(trace_ns - begin_ns_, 0, length_ns_);
  return trace_ns + offset_ns_ +
         static_cast<int64_t>(drift_ * static_cast<double>(since_begin));
}

}  // namespace xla
