// Partitions a module by two passes, after those that they need; others improve
// the collectives.
#include "xla/backends/partition_module.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/transforms/devices/all_reduce_combiner.h"
#include "xla/hlo/transforms/devices/all_reduce_reassociate.h"
#include "xla/hlo/transforms/devices/reduce_scatter_creator.h"
#include "xla/hlo/transforms/devices/windowed_einsum.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/fuse/fusion_inliner.h"
#include "xla/hlo/transforms/loops/while_loop_all_reduce_code_motion.h"
#include "xla/hlo/transforms/sharding/custom_partitioner.h"
#include "xla/hlo/transforms/sharding/sharding_propagation.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"
#include "xla/hlo/verifier/hlo_verifier.h"

namespace xla {

bool HasShardings(const HloModule& module) {
  if (module.config().num_partitions() == 1 ||
      module.extra().spmd_parameters_shardings_size() > 0 ||
      module.extra().has_spmd_output_sharding()) {
    return false;
  }
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->has_sharding() || NeedsPartitioner(*hlo)) return true;
    }
  }
  return false;
}

absl::Status PartitionModule(HloModule* module,
                             const HloPassPipeline::Observer& observer) {
  if (!HasShardings(*module)) return absl::OkStatus();
  HloPassPipeline pipeline("partition", observer);
  pipeline.AddPass<AsyncToSync>();
  pipeline.AddPass<FusionInliner>();
  pipeline.AddPass<ShardingPropagation>();
  pipeline.AddPass<SpmdPartitioner>();
  // Programs of frameworks for parts.
  pipeline.AddPass<CallInliner>();
  pipeline.AddPass<HloDCE>();
  pipeline.AddPass<WindowedEinsum>();
  pipeline.AddPass<AllReduceReassociate>();
  pipeline.AddPass<ReduceScatterCreator>();
  pipeline.AddPass<WhileLoopAllReduceCodeMotion>();
  pipeline.AddPass<AllReduceCombiner>();
  TF_RETURN_IF_ERROR(pipeline.Run(module).status());
  // Shapes that do not fit would be memory that does not.
  const absl::Status valid = HloVerifier().Verify(*module);
  if (valid.ok()) return valid;
  return absl::InternalError(
      absl::StrCat("the partitioned module breaks a rule: ", valid.message()));
}

}  // namespace xla
