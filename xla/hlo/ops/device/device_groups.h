// Which devices work together: what replica_groups and source-target pairs
// mean for numbers of replicas and partitions. Device number is replica *
// num_partitions + partition.
#ifndef XLA_HLO_OPS_DEVICE_DEVICE_GROUPS_H_
#define XLA_HLO_OPS_DEVICE_DEVICE_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/attrs/field_types.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

struct DeviceCounts {
  int64_t replicas = 1;
  int64_t partitions = 1;
  int64_t devices() const { return replicas * partitions; }
};

// The devices of the group that `device` belongs to, by number, in the order
// of the group; empty if it belongs to none. Errors: InvalidArgument where a
// group names a device that there is not.
absl::StatusOr<std::vector<int64_t>> DevicesOfGroup(const ReplicaGroups& groups,
                                                    CollectiveOpGroupMode mode,
                                                    DeviceCounts counts,
                                                    int64_t device);

// All ids that `pairs` name, as the one group that meets for them, sorted.
ReplicaGroups GroupOfPairs(const SourceTargetPairs& pairs);

// Name of the frontend attribute that tells who sends to whom.
inline constexpr char kSendRecvPairsAttribute[] =
    "_xla_send_recv_source_target_pairs";
// The pairs in its text. Errors: InvalidArgument unless it is {{0,1},{1,2}}.
absl::StatusOr<SourceTargetPairs> ParseSendRecvPairs(absl::string_view text);

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_DEVICE_GROUPS_H_
