// Attention: two dots with a fusion between them that works row by row, which
// one kernel computes for a block of rows at a time.
#ifndef XLA_BACKENDS_CPU_FUSION_ATTENTION_H_
#define XLA_BACKENDS_CPU_FUSION_ATTENTION_H_

#include <optional>

#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// The group that ends in `second` and that the kernel can compute; nullopt if
// there is none. Both dots have at most one batch dimension, which comes first,
// and sum over one dimension; the left operand of `second` over its last.
// `middle` reads, of the first one's result, for each of its b * m rows of n
// elements that row alone.
std::optional<AttentionGroup> FindAttention(const HloInstruction& second);

// Whether the kernel is faster than both dots and the fusion one after the
// other. What is small or has few rows is not: each dot on its own has better
// ways.
bool IsAttentionProfitable(const AttentionGroup& group);

// Whether `hlo` is a fusion of such a group and nothing else, of kind kCustom,
// as the pass attention-fusion makes them. FindAttention of its root is not
// empty then.
bool IsAttentionFusion(const HloInstruction& hlo);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_ATTENTION_H_
