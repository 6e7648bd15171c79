// ExplainNoAttention: why a product whose operand looks like the weights of
// attention is not computed together with what gives them.
#ifndef XLA_BACKENDS_CPU_FUSION_ATTENTION_REFUSAL_H_
#define XLA_BACKENDS_CPU_FUSION_ATTENTION_REFUSAL_H_

#include <optional>

#include "xla/hlo/transforms/fuse/fusion_backend.h"

namespace xla::cpu {

// Looks up from the operands of the dot `second`: if an exponential and a sum
// of what another dot gives are on the way, the program means attention, and
// the result says which condition of FindAttention or IsAttentionProfitable
// fails, with the line of the source where. Nullopt for other dots, and for
// those of which a group is fused.
std::optional<FusionRefusal> ExplainNoAttention(const HloInstruction& second);

}  // namespace xla::cpu

#endif  // XLA_BACKENDS_CPU_FUSION_ATTENTION_REFUSAL_H_
