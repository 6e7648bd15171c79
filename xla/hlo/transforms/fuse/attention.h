// AttentionGroup: two dots with a fusion between them that works row by row, so
// that all three can be done for a block of rows at a time.
#ifndef XLA_HLO_TRANSFORMS_FUSE_ATTENTION_H_
#define XLA_HLO_TRANSFORMS_FUSE_ATTENTION_H_

#include <cstdint>
#include <optional>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

//   first  = [b,m,n] dot(x, y)
//   middle = fusion(..., bitcast(first), ...)   softmax, say
//   second = [b,m,p] dot(bitcast(middle), z)
//
// Both dots have at most one batch dimension, first, and sum over one; the left
// operand of the second one over its last. `middle` reads, of the first one's
// result, for each of its b * m rows of n elements that row alone, and may
// write over it. Bitcasts may be anywhere between them. Nothing else reads the
// results of `first` and `middle`.
struct AttentionGroup {
  const HloInstruction* first = nullptr;
  const HloInstruction* middle = nullptr;
  int64_t operand = -1;  // of `middle`: the first one's result
  const HloInstruction* second = nullptr;
};

// That which ends in `second`, if there is one.
std::optional<AttentionGroup> FindAttention(const HloInstruction& second);

// Whether `hlo` is a fusion of such a group and nothing else: kCustom, made by
// attention-fusion. FindAttention of its root is not empty then.
bool IsAttentionFusion(const HloInstruction& hlo);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_FUSE_ATTENTION_H_
