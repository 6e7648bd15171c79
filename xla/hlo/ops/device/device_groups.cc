// Computes groups of devices by number.
#include "xla/hlo/ops/device/device_groups.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/base/text_scanner.h"

namespace xla {

absl::StatusOr<std::vector<int64_t>> DevicesOfGroup(const ReplicaGroups& groups,
                                                    CollectiveOpGroupMode mode,
                                                    DeviceCounts counts,
                                                    int64_t device) {
  const auto [replicas, partitions] = counts;
  const int64_t replica = device / partitions;
  const int64_t partition = device % partitions;
  const bool flat = mode == COLLECTIVE_OP_GROUP_MODE_FLATTENED_ID;
  const bool by_partition = mode == COLLECTIVE_OP_GROUP_MODE_CROSS_PARTITION;
  const int64_t limit = flat           ? replicas * partitions
                        : by_partition ? partitions
                                       : replicas;
  const int64_t me = flat ? device : by_partition ? partition : replica;
  std::vector<int64_t> ids;
  if (groups.groups().empty()) {
    for (int64_t i = 0; i < limit; ++i) ids.push_back(i);
  }
  for (const std::vector<int64_t>& group : groups.groups()) {
    for (int64_t id : group) {
      if (id < 0 || id >= limit) {
        return absl::InvalidArgumentError(
            absl::StrCat("replica_groups name device ", id, ", but with ",
                         replicas, " replicas and ", partitions,
                         " partitions they number 0 to ", limit - 1));
      }
      if (id == me) ids = group;
    }
  }
  std::vector<int64_t> devices;
  for (int64_t id : ids) {
    if (flat) {
      devices.push_back(id);
    } else if (by_partition) {
      devices.push_back(replica * partitions + id);
    } else if (mode == COLLECTIVE_OP_GROUP_MODE_CROSS_REPLICA) {
      devices.push_back(id * partitions + partition);
    } else {
      for (int64_t p = 0; p < partitions; ++p) {
        devices.push_back(id * partitions + p);
      }
    }
  }
  return devices;
}

ReplicaGroups GroupOfPairs(const SourceTargetPairs& pairs) {
  std::vector<int64_t> ids;
  for (const auto& [source, target] : pairs) {
    ids.push_back(source);
    ids.push_back(target);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ReplicaGroups({std::move(ids)});
}

absl::StatusOr<SourceTargetPairs> ParseSendRecvPairs(absl::string_view text) {
  SourceTargetPairs pairs;
  TextScanner scanner(text);
  TF_RETURN_IF_ERROR(scanner.Consume("{"));
  while (!scanner.TryConsume("}")) {
    if (!pairs.empty()) TF_RETURN_IF_ERROR(scanner.Consume(","));
    TF_RETURN_IF_ERROR(scanner.Consume("{"));
    TF_ASSIGN_OR_RETURN(int64_t source, scanner.Int64());
    TF_RETURN_IF_ERROR(scanner.Consume(","));
    TF_ASSIGN_OR_RETURN(int64_t target, scanner.Int64());
    TF_RETURN_IF_ERROR(scanner.Consume("}"));
    pairs.emplace_back(source, target);
  }
  return pairs;
}

}  // namespace xla
