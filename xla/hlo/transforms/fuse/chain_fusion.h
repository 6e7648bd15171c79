// FuseChain: puts instructions, each of which reads the one before it, into a
// fusion that a library computes as a whole.
#ifndef XLA_HLO_TRANSFORMS_FUSE_CHAIN_FUSION_H_
#define XLA_HLO_TRANSFORMS_FUSE_CHAIN_FUSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// An instruction, and which of its operands is the link before it, through
// bitcasts; -1 for the first one.
struct ChainLink {
  const HloInstruction* instruction;
  int64_t operand = -1;
};

// Replaces the last link by a fusion of kind kCustom, called `name`_fusion, of
// a computation called `name` with all of `links`, which nothing else reads.
absl::Status FuseChain(HloComputation* computation, absl::string_view name,
                       absl::Span<const ChainLink> links);

// Returns the computations of `module` that are not fused.
std::vector<HloComputation*> ComputationsToFuse(HloModule* module);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_CHAIN_FUSION_H_
