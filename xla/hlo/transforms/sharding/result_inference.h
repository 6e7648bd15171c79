// ResultInference asks frameworks how the results of their calls are divided.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_RESULT_INFERENCE_H_
#define XLA_HLO_TRANSFORMS_SHARDING_RESULT_INFERENCE_H_

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/sharding/sharding_graph.h"

namespace xla {

// A CustomPartitioner infers results only in programs that state tiles: those
// with named shardings give sharding rules instead.
class ResultInference {
 public:
  // To be made before propagation, which gives all arrays named shardings.
  explicit ResultInference(const HloModule& module);

  // Asks about calls without a rule whose operands are divided, and whose
  // results are not, once each. Returns whether some results have shardings
  // now. The computations are those of the graph. Errors: those of the
  // framework and of ShardingOfFramework.
  absl::StatusOr<bool> Infer(absl::Span<HloComputation* const> computations,
                             ShardingGraph& graph);

 private:
  absl::StatusOr<bool> InferCall(const HloInstruction& call,
                                 ShardingGraph& graph);

  bool is_needed_ = false;
  absl::flat_hash_set<const HloInstruction*> asked_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_RESULT_INFERENCE_H_
