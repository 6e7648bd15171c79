// Every op that may have a channel is listed.
#include "xla/hlo/ir/channels.h"

#include <algorithm>

#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {

namespace {

// Calls fn with the type of the op's attributes if it may have a channel.
template <typename Fn>
void VisitChannel(HloOpcode opcode, Fn fn) {
  switch (opcode) {
    case HloOpcode::kAllGather:
    case HloOpcode::kAllGatherStart:
      return fn.template operator()<AllGatherAttrs>();
    case HloOpcode::kAllReduce:
    case HloOpcode::kAllReduceStart:
      return fn.template operator()<AllReduceAttrs>();
    case HloOpcode::kReduceScatter:
      return fn.template operator()<ReduceScatterAttrs>();
    case HloOpcode::kAllToAll:
      return fn.template operator()<AllToAllAttrs>();
    case HloOpcode::kCollectiveBroadcast:
      return fn.template operator()<CollectiveBroadcastAttrs>();
    case HloOpcode::kCollectivePermute:
    case HloOpcode::kCollectivePermuteStart:
      return fn.template operator()<CollectivePermuteAttrs>();
    case HloOpcode::kRaggedAllToAll:
      return fn.template operator()<RaggedAllToAllAttrs>();
    case HloOpcode::kSend:
    case HloOpcode::kRecv:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecvDone:
      return fn.template operator()<ChannelAttrs>();
    default:
      return;
  }
}

}  // namespace

std::optional<int64_t> ChannelIdOf(const HloInstruction& hlo) {
  std::optional<int64_t> channel;
  VisitChannel(hlo.opcode(),
               [&]<typename A>() { channel = hlo.attrs<A>().channel_id; });
  return channel;
}

void SetChannelId(HloInstruction& hlo, int64_t channel) {
  VisitChannel(hlo.opcode(), [&]<typename A>() {
    hlo.mutable_attrs<A>().channel_id = channel;
  });
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
