// Finds which devices work together: what replica_groups and source-target
// pairs mean for numbers of replicas and partitions. Device number is replica *
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

// Returns the numbers of the devices in the group of `device`, in the order of
// the group; empty if it is in none. Errors: InvalidArgument if a group names a
// device that does not exist.
absl::StatusOr<std::vector<int64_t>> DevicesOfGroup(const ReplicaGroups& groups,
                                                    CollectiveOpGroupMode mode,
                                                    DeviceCounts counts,
                                                    int64_t device);

// Returns all ids in `pairs`, sorted: they form the group of the rendezvous.
ReplicaGroups GroupOfPairs(const SourceTargetPairs& pairs);

// The name of the frontend attribute with source-target pairs.
inline constexpr char kSendRecvPairsAttribute[] =
    "_xla_send_recv_source_target_pairs";
// Returns the pairs in its text. Errors: InvalidArgument unless it has the form
// {{0,1},{1,2}}.
absl::StatusOr<SourceTargetPairs> ParseSendRecvPairs(absl::string_view text);

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_DEVICE_GROUPS_H_
