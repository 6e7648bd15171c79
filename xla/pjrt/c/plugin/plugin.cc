// Functions about the plugin as a whole.
#include <string>
#include <vector>

#include "xla/pjrt/c/functions/functions.h"
#include "xla/pjrt/c/named_values.h"
#include "xla/proto/shared_descriptors.h"
#include "xla/stablehlo/ir/version.h"

namespace xla::pjrt {
namespace {

// The version of XLA's client API for which frameworks ask: the one that
// jaxlib's own C API plugins report.
constexpr int64_t kXlaVersion = 2;

std::vector<int64_t> List(const stablehlo::Version& version) {
  return {version.major, version.minor, version.patch};
}

}  // namespace

absl::Status PluginInitialize(PJRT_Plugin_Initialize_Args& args) {
  return SharedDescriptorsStatus();
}

absl::Status PluginAttributes(PJRT_Plugin_Attributes_Args& args) {
  static const auto* const attributes = new NamedValues(NamedValueMap{
      {"xla_version", kXlaVersion},
      {"stablehlo_current_version", List(stablehlo::kCurrentVersion)},
      {"stablehlo_minimum_version", List(stablehlo::kMinimumVersion)},
  });
  args.attributes = attributes->data();
  args.num_attributes = attributes->size();
  return absl::OkStatus();
}

}  // namespace xla::pjrt
