// Every op that has a channel is listed.
#include "xla/hlo/analysis/channels.h"

#include <algorithm>

#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {

std::optional<int64_t>* ChannelOf(HloInstruction& hlo) {
  switch (hlo.opcode()) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
      return &hlo.mutable_attrs<AllGatherAttrs>().channel_id;
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return &hlo.mutable_attrs<AllReduceAttrs>().channel_id;
    case HloOpcode::kReduceScatter:
      return &hlo.mutable_attrs<ReduceScatterAttrs>().channel_id;
    case HloOpcode::kAllToAll:
      return &hlo.mutable_attrs<AllToAllAttrs>().channel_id;
    case HloOpcode::kCollectiveBroadcast:
      return &hlo.mutable_attrs<CollectiveBroadcastAttrs>().channel_id;
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return &hlo.mutable_attrs<CollectivePermuteAttrs>().channel_id;
    case HloOpcode::kRaggedAllToAll:
      return &hlo.mutable_attrs<RaggedAllToAllAttrs>().channel_id;
    case HloOpcode::kSend:
    case HloOpcode::kRecv:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecvDone:
      return &hlo.mutable_attrs<ChannelAttrs>().channel_id;
    default:
      return nullptr;
  }
}

int64_t LargestChannel(HloModule& module) {
  int64_t largest = 0;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      const std::optional<int64_t>* channel = ChannelOf(*hlo);
      if (channel != nullptr) largest = std::max(largest, channel->value_or(0));
    }
  }
  return largest;
}

}  // namespace xla
