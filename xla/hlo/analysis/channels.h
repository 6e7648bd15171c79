// The numbers by which collectives and transfers of a module are told apart.
#ifndef XLA_HLO_ANALYSIS_CHANNELS_H_
#define XLA_HLO_ANALYSIS_CHANNELS_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Returns the channel_id of a collective, or of one of the two halves of a
// transfer; null for other ops.
std::optional<int64_t>* ChannelOf(HloInstruction& hlo);

// Returns the largest channel_id of the module; 0 if there is none.
int64_t LargestChannel(HloModule& module);

}  // namespace xla

#endif  // XLA_HLO_ANALYSIS_CHANNELS_H_
