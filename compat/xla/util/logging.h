// Logs of several lines and of times, under the names of xla/util.h.
#ifndef COMPAT_XLA_UTIL_LOGGING_H_
#define COMPAT_XLA_UTIL_LOGGING_H_

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/base/log_severity.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "xla/base/logging.h"

namespace xla {

// Returns `status`, which is an error, and logs it at VLOG level 1.
inline absl::Status WithLogBacktrace(const absl::Status& status) {
  CHECK(!status.ok());
  VLOG(1) << status;
  return status;
}

// Logs each line of `text`, which other calls do not interrupt, as if it came
// from that file and line. A fatal one ends the process after the last line.
inline void LogLines(absl::LogSeverity severity, absl::string_view text,
                     const char* fname, int lineno) {
  using log_internal::LogMessage;
  using log_internal::Severity;
  static absl::Mutex mutex(absl::kConstInit);
  const absl::MutexLock lock(&mutex);
  const Severity each = severity == absl::LogSeverity::kInfo ? Severity::kInfo
                        : severity == absl::LogSeverity::kWarning
                            ? Severity::kWarning
                            : Severity::kError;
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  if (!text.empty()) {
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      LogMessage(fname, lineno, each).stream() << line;
    }
  }
  if (severity == absl::LogSeverity::kFatal) {
    log_internal::LogMessageFatal(fname, lineno).stream()
        << "Aborting due to errors.";
  }
}
inline void LogLinesINFO(absl::string_view text, const char* fname,
                         int lineno) {
  LogLines(absl::LogSeverity::kInfo, text, fname, lineno);
}
inline void LogLinesWARNING(absl::string_view text, const char* fname,
                            int lineno) {
  LogLines(absl::LogSeverity::kWarning, text, fname, lineno);
}
inline void LogLinesERROR(absl::string_view text, const char* fname,
                          int lineno) {
  LogLines(absl::LogSeverity::kError, text, fname, lineno);
}
inline void LogLinesFATAL(absl::string_view text, const char* fname,
                          int lineno) {
  LogLines(absl::LogSeverity::kFatal, text, fname, lineno);
}

// "[3] " for device 3.
inline std::string XlaFormatDevice(int device_ordinal) {
  return absl::StrCat("[", device_ordinal, "] ");
}

// The times of all timers of one place. Thread safe under its mutex.
struct TimerStats {
  absl::Mutex stats_mutex;
  double cumulative_secs ABSL_GUARDED_BY(stats_mutex) = 0;
  double max_secs ABSL_GUARDED_BY(stats_mutex) = 0;
  uint64_t times_called ABSL_GUARDED_BY(stats_mutex) = 0;
};

// Logs the time from its creation to its end, or to StopAndLog, if `enabled`.
class ScopedLoggingTimer {
 public:
  // `timer_stats`, not null, outlives the timer.
  ScopedLoggingTimer(absl::string_view label, bool enabled, const char* file,
                     int line, TimerStats* timer_stats)
      : label_(label),
        file_(file),
        line_(line),
        timer_stats_(timer_stats),
        enabled_(enabled),
        start_(enabled ? absl::Now() : absl::Time()) {}
  ScopedLoggingTimer(const ScopedLoggingTimer&) = delete;
  ScopedLoggingTimer& operator=(const ScopedLoggingTimer&) = delete;
  ~ScopedLoggingTimer() { StopAndLog(); }

  // Does nothing the second time.
  void StopAndLog() {
    if (!enabled_) return;
    enabled_ = false;
    const absl::Duration time = absl::Now() - start_;
    TimerStats& stats = *timer_stats_;
    const absl::MutexLock lock(&stats.stats_mutex);
    stats.cumulative_secs += absl::ToDoubleSeconds(time);
    stats.max_secs = std::max(stats.max_secs, absl::ToDoubleSeconds(time));
    ++stats.times_called;
    log_internal::LogMessage(file_, line_, log_internal::Severity::kInfo)
            .stream()
        << label_ << " time: " << time
        << " (cumulative: " << absl::Seconds(stats.cumulative_secs)
        << ", max: " << absl::Seconds(stats.max_secs)
        << ", #called: " << stats.times_called << ")";
  }

 private:
  const std::string label_;
  const char* const file_;
  const int line_;
  TimerStats* const timer_stats_;
  bool enabled_;
  const absl::Time start_;
};

}  // namespace xla

// `STRING` is evaluated in any case by the first, and only if VLOG level LEVEL
// is on by the second.
#define XLA_LOG_LINES(SEVERITY, STRING) \
  ::xla::LogLines##SEVERITY(STRING, __FILE__, __LINE__)
#define XLA_VLOG_LINES(LEVEL, STRING)                   \
  do {                                                  \
    if (VLOG_IS_ON(LEVEL)) XLA_LOG_LINES(INFO, STRING); \
  } while (false)

// Log like VLOG and LOG, after the number of the device.
#define XLA_VLOG_DEVICE(level, device_ordinal) \
  VLOG(level) << ::xla::XlaFormatDevice(device_ordinal)
#define XLA_LOG_DEVICE(level, device_ordinal) \
  LOG(level) << ::xla::XlaFormatDevice(device_ordinal)

// Log the time until the end of the scope if VLOG level 1, or `level`, is on,
// and if `condition` holds. The others are parts of these.
#define XLA_SCOPED_LOGGING_TIMER(label) \
  XLA_SCOPED_LOGGING_TIMER_HELPER(label, 1, __COUNTER__, true)
#define XLA_SCOPED_LOGGING_TIMER_LEVEL(label, level) \
  XLA_SCOPED_LOGGING_TIMER_HELPER(label, level, __COUNTER__, true)
#define XLA_SCOPED_LOGGING_TIMER_IF(label, condition) \
  XLA_SCOPED_LOGGING_TIMER_HELPER(label, 1, __COUNTER__, (condition))
#define XLA_SCOPED_LOGGING_TIMER_HELPER(label, level, counter, condition) \
  XLA_SCOPED_LOGGING_TIMER_HELPER2(label, level, counter, condition)
#define XLA_SCOPED_LOGGING_TIMER_HELPER2(label, level, counter, condition)     \
  static ::xla::TimerStats xla_timer_stats_##counter;                          \
  const ::xla::ScopedLoggingTimer xla_timer_##counter(                         \
      label, /*enabled=*/VLOG_IS_ON(level) && (condition), __FILE__, __LINE__, \
      &xla_timer_stats_##counter)

#endif  // COMPAT_XLA_UTIL_LOGGING_H_
