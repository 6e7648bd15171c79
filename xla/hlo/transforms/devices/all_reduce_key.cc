// Reads the attributes of an all-reduce.
#include "xla/hlo/transforms/devices/all_reduce_key.h"

#include "xla/hlo/analysis/reducers.h"
#include "xla/hlo/ops/device/collectives.h"

namespace xla {

AllReduceKey AllReduceKeyOf(const HloInstruction& all_reduce) {
  const auto& attrs = all_reduce.attrs<AllReduceAttrs>();
  return {.reducer =
              OneOpOf(*all_reduce.to_apply()).value_or(HloOpcode::kParameter),
          .type = all_reduce.operand(0)->shape().element_type(),
          .has_channel = attrs.channel_id.has_value(),
          .use_global_device_ids = attrs.use_global_device_ids,
          .groups = attrs.replica_groups.groups()};
}

}  // namespace xla
