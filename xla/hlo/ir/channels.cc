// Reads the attributes of each op that has a channel.
#include "xla/hlo/ir/channels.h"

#include <algorithm>

#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {

std::optional<int64_t> ChannelIdOf(const HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
      return hlo.attrs<AllGatherAttrs>().channel_id;
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return hlo.attrs<AllReduceAttrs>().channel_id;
    case HloOpcode::kReduceScatter:
      return hlo.attrs<ReduceScatterAttrs>().channel_id;
    case HloOpcode::kAllToAll:
      return hlo.attrs<AllToAllAttrs>().channel_id;
    case HloOpcode::kCollectiveBroadcast:
      return hlo.attrs<CollectiveBroadcastAttrs>().channel_id;
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return hlo.attrs<CollectivePermuteAttrs>().channel_id;
    case HloOpcode::kRaggedAllToAll:
      return hlo.attrs<RaggedAllToAllAttrs>().channel_id;
    case HloOpcode::kSend:
    case HloOpcode::kRecv:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecvDone:
      return hlo.attrs<ChannelAttrs>().channel_id;
    default:
      return std::nullopt;
  }
}

int64_t LargestChannelId(const HloModule& module) {
  int64_t largest = 0;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      largest = std::max(largest, ChannelIdOf(*hlo).value_or(0));
    }
  }
  return largest;
}

}  // namespace xla
