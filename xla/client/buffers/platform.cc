// The host platform.
#include "xla/client/buffers/platform.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/client/debug/debug_options_flags.h"

namespace stream_executor {

int Platform::VisibleDeviceCount() const {
  return std::max(
      1,
      xla::GetDebugOptionsFromFlags().xla_force_host_platform_device_count());
}

Platform* Platform::Host() {
  static Platform* const host = new Platform;
  return host;
}

}  // namespace stream_executor

namespace xla {

absl::StatusOr<std::vector<se::Platform*>>
PlatformUtil::GetSupportedPlatforms() {
  return std::vector<se::Platform*>{se::Platform::Host()};
}

absl::StatusOr<se::Platform*> PlatformUtil::GetDefaultPlatform() {
  return se::Platform::Host();
}

absl::StatusOr<std::string> PlatformUtil::CanonicalPlatformName(
    const std::string& platform_name) {
  std::string name = absl::AsciiStrToLower(platform_name);
  return name == "cpu" ? "host" : name;
}

absl::StatusOr<se::Platform*> PlatformUtil::GetPlatform(
    const std::string& platform_name) {
  TF_ASSIGN_OR_RETURN(const std::string name,
                      CanonicalPlatformName(platform_name));
  if (name == "host") return se::Platform::Host();
  return absl::NotFoundError(
      absl::StrCat("no platform is called ", platform_name,
                   ": the only one is Host, also called cpu"));
}

}  // namespace xla
