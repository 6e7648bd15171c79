// The channels of collectives and transfers. Those of one channel are one event
// for all devices, so a copy of a collective needs a channel of its own.
#ifndef XLA_HLO_IR_CHANNELS_H_
#define XLA_HLO_IR_CHANNELS_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Returns the channel of an instruction that has one.
std::optional<int64_t> ChannelIdOf(const HloInstruction& hlo);

// Gives a collective or transfer another channel.
void SetChannelId(HloInstruction& hlo, int64_t channel);

// Returns the largest channel of the module, 0 if there is none.
int64_t LargestChannelId(const HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_IR_CHANNELS_H_
