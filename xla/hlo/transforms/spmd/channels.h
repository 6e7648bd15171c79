// The channels through which collectives and transfers find each other.
#ifndef XLA_HLO_TRANSFORMS_SPMD_CHANNELS_H_
#define XLA_HLO_TRANSFORMS_SPMD_CHANNELS_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Returns the channel of an instruction, or null if its opcode has none.
std::optional<int64_t>* ChannelOf(HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_CHANNELS_H_
