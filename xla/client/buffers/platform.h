// The one platform there is, the host, and how XLA's clients ask for it.
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
  // "Host".
  const std::string& Name() const { return name_; }
  // Those that XLA_FLAGS asks for by --xla_force_host_platform_device_count;
  // 1 otherwise.
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
  // "host" and "cpu" in any case. Errors: NotFound for others.
  static absl::StatusOr<se::Platform*> GetPlatform(
      const std::string& platform_name);
  static absl::StatusOr<std::string> CanonicalPlatformName(
      const std::string& platform_name);
};

}  // namespace xla

#endif  // XLA_CLIENT_BUFFERS_PLATFORM_H_
