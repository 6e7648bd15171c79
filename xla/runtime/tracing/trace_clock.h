// The clock with which threads record events: the processor's counter where
// that is steady, which takes a quarter of the time of the system's clock.
#ifndef XLA_RUNTIME_TRACING_TRACE_CLOCK_H_
#define XLA_RUNTIME_TRACING_TRACE_CLOCK_H_

#include <cstdint>

namespace xla {

// Nanoseconds since about the Unix epoch, on a clock of this process whose rate
// is right to a thousandth. Thread safe.
int64_t TraceNow();

// Makes TraceNow use the counter, if the processor and the system say that it
// has one rate and one value on all processors. The first call measures the
// rate, which takes 0.2 ms; later ones do nothing. Thread safe.
void StartTraceClock();

// What two clocks show at one moment.
struct TraceClockReading {
  static TraceClockReading Now();

  int64_t trace_ns = 0;   // TraceNow()
  int64_t steady_ns = 0;  // the system's monotonic clock
  int64_t unix_ns = 0;  // the system's clock, nanoseconds since the Unix epoch
};

// Translates times of TraceNow() between two readings into nanoseconds since
// the Unix epoch, at the rate of the system's monotonic clock. What lies before
// or after is moved like the nearer reading. Keeps the order of times.
class TraceClockTranslation {
 public:
  TraceClockTranslation(const TraceClockReading& begin,
                        const TraceClockReading& end);
  int64_t UnixNanos(int64_t trace_ns) const;

 private:
  const int64_t begin_ns_;
  const int64_t length_ns_;
  const int64_t offset_ns_;  // to add at the begin
  const double drift_;       // to add for each nanosecond after it
};

}  // namespace xla

#endif  // XLA_RUNTIME_TRACING_TRACE_CLOCK_H_
