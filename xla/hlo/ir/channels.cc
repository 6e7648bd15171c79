// Reads and changes the channels of a module.
#include "xla/hlo/ir/channels.h"

#include <algorithm>

#include "xla/hlo/ops/device/device_attrs.h"

namespace xla {

std::optional<int64_t> ChannelIdOf(const HloInstruction& hlo) {
  const std::optional<int64_t>* channel = ChannelOf(hlo.raw_attrs());
  return channel == nullptr ? std::nullopt : *channel;
}

void SetChannelId(HloInstruction& hlo, int64_t channel) {
  if (auto* old = MutableChannelOf(hlo.mutable_raw_attrs())) *old = channel;
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
