// The attributes that ops on several devices share, whatever their struct.
#ifndef XLA_HLO_OPS_DEVICE_DEVICE_ATTRS_H_
#define XLA_HLO_OPS_DEVICE_DEVICE_ATTRS_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/attrs/attrs.h"
#include "xla/hlo/ops/device/device_groups.h"

namespace xla {

// Return the channel of an op that may have one, null for other ops.
const std::optional<int64_t>* ChannelOf(const Attrs& attrs);
std::optional<int64_t>* MutableChannelOf(Attrs& attrs);

// Return the groups of devices of an op that has them, null for other ops.
const ReplicaGroups* GroupsOf(const Attrs& attrs);
ReplicaGroups* MutableGroupsOf(Attrs& attrs);

}  // namespace xla

#endif  // XLA_HLO_OPS_DEVICE_DEVICE_ATTRS_H_
