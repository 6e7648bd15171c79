// FindMemoryOrder finds an order of a computation's instructions that needs
// little memory.
#ifndef XLA_HLO_TRANSFORMS_BUFFERS_MEMORY_ORDER_H_
#define XLA_HLO_TRANSFORMS_BUFFERS_MEMORY_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "xla/hlo/analysis/alias_info.h"
#include "xla/hlo/analysis/hlo_dataflow.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

struct MemoryOrder {
  std::vector<HloInstruction*> order;
  int64_t peak_bytes = 0;  // of values made inside, alive at once
};

// Tries four orders and returns the one that needs the least memory, the first
// of several: that of the dataflow, as far as control edges added since allow;
// each instruction just before the first that needs it, with operands in that
// order; the same, but first the operands that need most memory while they are
// computed; and at each point the instruction that frees most memory. Operands
// and control predecessors come first; instructions in `effects` keep their
// order. `alias_info` says which results take the place of operands;
// `inner_peaks` gives the memory of called computations. Deterministic, O(n log
// n).
MemoryOrder FindMemoryOrder(
    const HloDataflow& flow, const AliasInfo& alias_info,
    const HloDataflow::Computation& computation,
    const absl::flat_hash_set<const HloInstruction*>& effects,
    const absl::flat_hash_map<const HloComputation*, int64_t>& inner_peaks);

// Returns the bytes that FindMemoryOrder counts while each instruction of the
// present order runs, without those of called computations.
std::vector<int64_t> MemoryDuring(const HloDataflow& flow,
                                  const AliasInfo& alias_info,
                                  const HloDataflow::Computation& computation);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_BUFFERS_MEMORY_ORDER_H_
