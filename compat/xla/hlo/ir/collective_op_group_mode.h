// The names of CollectiveOpGroupMode, beside the function that finds the mode
// of a collective.
#ifndef COMPAT_XLA_HLO_IR_COLLECTIVE_OP_GROUP_MODE_H_
#define COMPAT_XLA_HLO_IR_COLLECTIVE_OP_GROUP_MODE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ops/device/collectives.h"  // IWYU pragma: export
#include "xla/proto/xla_data.pb.h"

namespace xla {

// "cross_replica" and so on.
inline absl::string_view CollectiveOpGroupModeToString(
    CollectiveOpGroupMode group_mode) {
  switch (group_mode) {
    case COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA:
      return "cross_replica";
    case COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION:
      return "cross_partition";
    case COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA_AND_PARTITION:
      return "cross_replica_and_partition";
    case COLLECTIVE_OP_GROUP_MODE_FLATTENED_ID:
      return "flattened_id";
    default:
      return "unknown";
  }
}

// Errors: InvalidArgument for other names.
inline absl::StatusOr<CollectiveOpGroupMode> StringToCollectiveOpGroupMode(
    absl::string_view name) {
  for (int i = CollectiveOpGroupMode_MIN; i <= CollectiveOpGroupMode_MAX; ++i) {
    const auto mode = static_cast<CollectiveOpGroupMode>(i);
    if (CollectiveOpGroupModeToString(mode) == name) return mode;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no group mode '", name, "'"));
}

}  // namespace xla

#endif  // COMPAT_XLA_HLO_IR_COLLECTIVE_OP_GROUP_MODE_H_
