// Lists the structs that have the attributes.
#include "xla/hlo/ops/device/device_attrs.h"

#include "xla/hlo/ops/device/collectives.h"
#include "xla/hlo/ops/device/transfers.h"

namespace xla {
namespace {

// Calls `take` with the struct of `attrs` if it is one of A.
template <typename... A, typename Take>
void TakeOneOf(const Attrs& attrs, const Take& take) {
  const auto look = [&](const auto* found) {
    if (found != nullptr) take(*found);
  };
  (look(attrs.As<A>()), ...);
}

}  // namespace

const std::optional<int64_t>* ChannelOf(const Attrs& attrs) {
  const std::optional<int64_t>* channel = nullptr;
  TakeOneOf<AllGatherAttrs, AllReduceAttrs, AllToAllAttrs, ChannelAttrs,
            CollectiveBroadcastAttrs, CollectivePermuteAttrs,
            RaggedAllToAllAttrs, ReduceScatterAttrs>(
      attrs, [&](const auto& found) { channel = &found.channel_id; });
  return channel;
}

std::optional<int64_t>* MutableChannelOf(Attrs& attrs) {
  return const_cast<std::optional<int64_t>*>(ChannelOf(attrs));
}

const ReplicaGroups* GroupsOf(const Attrs& attrs) {
  const ReplicaGroups* groups = nullptr;
  TakeOneOf<AllGatherAttrs, AllReduceAttrs, AllToAllAttrs,
            CollectiveBroadcastAttrs, RaggedAllToAllAttrs, ReduceScatterAttrs>(
      attrs, [&](const auto& found) { groups = &found.replica_groups; });
  return groups;
}

ReplicaGroups* MutableGroupsOf(Attrs& attrs) {
  return const_cast<ReplicaGroups*>(GroupsOf(attrs));
}

}  // namespace xla
