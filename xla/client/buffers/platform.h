// The only platform, the host, and XLA's functions that look it up.
#ifndef XLA_CLIENT_BUFFERS_PLATFORM_H_
#define XLA_CLIENT_BUFFERS_PLATFORM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace stream_executor {

// A kind of device.
class Platform {
 public:
  using Id = const void*;

  Id id() const { return this; }
  // Returns "Host".
  const std::string& Name() const { return name_; }
  // The number of devices set by --xla_force_host_platform_device_count in
  // XLA_FLAGS; 1 by default.
  int VisibleDeviceCount() const;

  static Platform* Host();

 private:
  std::string name_ = "Host";
};

}  // namespace stream_executor

namespace xla {
namespace se = ::stream_executor;

class PlatformUtil {
 public:
  static absl::StatusOr<std::vector<se::Platform*>> GetSupportedPlatforms();
  static absl::StatusOr<se::Platform*> GetDefaultPlatform();
  // Accepts "host" and "cpu" in any case. Errors: NotFound for other names.
  static absl::StatusOr<se::Platform*> GetPlatform(
      const std::string& platform_name);
  static absl::StatusOr<std::string> CanonicalPlatformName(
      const std::string& platform_name);
};

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_PLATFORM_H_
