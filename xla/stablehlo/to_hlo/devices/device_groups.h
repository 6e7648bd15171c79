// Reads groups of devices from attributes.
#ifndef XLA_STABLEHLO_TO_HLO_DEVICES_DEVICE_GROUPS_H_
#define XLA_STABLEHLO_TO_HLO_DEVICES_DEVICE_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/stablehlo/to_hlo/conversion/op_conversion.h"

namespace xla::stablehlo {

using DeviceGroups = std::vector<std::vector<int64_t>>;

// Returns the groups of attribute `name` of the op: a matrix with a row for
// each group, filled up with -1, or axes of a mesh along which devices work
// together. Errors: InvalidArgument.
absl::StatusOr<DeviceGroups> GroupsOf(const Attribute& attribute,
                                      absl::string_view name,
                                      const OpConversion& conversion);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_DEVICES_DEVICE_GROUPS_H_
