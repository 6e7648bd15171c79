// Shardy's op sharding rules, which say how the dimensions of a custom call
// hang together.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_SHARDING_RULE_H_
#define XLA_HLO_TRANSFORMS_SHARDING_SHARDING_RULE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ops/dimension_factors.h"

namespace xla {

struct ShardingRule {
  DimensionFactors factors;
  // By factor: whether propagation passes no axes on along it, although the
  // call may be divided along it.
  std::vector<bool> is_blocked;
};

// Reads a rule such as
//
//   #sdy.op_sharding_rule<([i, jk], [*])->([j]) {i=4, j=2, k=3} reduction={i}
//       need_replication={k} permutation={} blocked_propagation={j}, custom>
//
// Factors are letters from i to z, or z_1 and so on; * is a dimension without
// factors. Errors: InvalidArgument for text that is no rule.
absl::StatusOr<ShardingRule> ParseShardingRule(absl::string_view text);

// Returns the rule of a custom call:
// - its frontend attribute xla.sdy.sharding_rule;
// - its frontend attribute num_batch_dims, which JAX gives calls of linear
//   algebra: so many first dimensions of all arrays are passed through;
// - each dimension passed through, of calls that only say where a value is;
// nullopt for other calls. Errors: InvalidArgument, with the call's name, for a
// rule that does not fit the shapes.
absl::StatusOr<std::optional<ShardingRule>> ShardingRuleOf(
    const HloInstruction& call);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_SHARDING_RULE_H_
