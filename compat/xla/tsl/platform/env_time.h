// EnvTime: the time of day, and factors between units of time.
#ifndef COMPAT_XLA_TSL_PLATFORM_ENV_TIME_H_
#define COMPAT_XLA_TSL_PLATFORM_ENV_TIME_H_

#include <chrono>
#include <cstdint>

namespace tsl {

class EnvTime {
 public:
  static constexpr uint64_t kMicrosToPicos = 1'000'000;
  static constexpr uint64_t kMicrosToNanos = 1'000;
  static constexpr uint64_t kMillisToMicros = 1'000;
  static constexpr uint64_t kMillisToNanos = 1'000'000;
  static constexpr uint64_t kNanosToPicos = 1'000;
  static constexpr uint64_t kSecondsToMillis = 1'000;
  static constexpr uint64_t kSecondsToMicros = 1'000'000;
  static constexpr uint64_t kSecondsToNanos = 1'000'000'000;

  EnvTime() = default;
  virtual ~EnvTime() = default;

  // Since 1970.
  static uint64_t NowNanos() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  static uint64_t NowMicros() { return NowNanos() / kMicrosToNanos; }
  static uint64_t NowSeconds() { return NowNanos() / kSecondsToNanos; }

  virtual uint64_t GetOverridableNowNanos() const { return NowNanos(); }
  virtual uint64_t GetOverridableNowMicros() const {
    return GetOverridableNowNanos() / kMicrosToNanos;
  }
  virtual uint64_t GetOverridableNowSeconds() const {
    return GetOverridableNowNanos() / kSecondsToNanos;
  }
};

}  // namespace tsl

#endif  // COMPAT_XLA_TSL_PLATFORM_ENV_TIME_H_
