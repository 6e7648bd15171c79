// Partitions a module by two passes, after those that they need; others improve
// the collectives.
#include "xla/backends/partition_module.h"

#include "xla/hlo/transforms/devices/all_reduce_combiner.h"
#include "xla/hlo/transforms/devices/all_reduce_reassociate.h"
#include "xla/hlo/transforms/expand/async_to_sync.h"
#include "xla/hlo/transforms/fuse/fusion_inliner.h"
#include "xla/hlo/transforms/loops/while_loop_all_reduce_code_motion.h"
#include "xla/hlo/transforms/sharding/sharding_propagation.h"
#include "xla/hlo/transforms/simplify/call_inliner.h"
#include "xla/hlo/transforms/simplify/dce.h"
#include "xla/hlo/transforms/simplify/flatten_call_graph.h"
#include "xla/hlo/transforms/spmd/spmd_partitioner.h"

namespace xla {

bool HasShardings(const HloModule& module) {
  if (module.config().num_partitions == 1) return false;
  for (const auto& computation : module.computations()) {
    for (const auto& hlo : computation->instructions()) {
      if (hlo->has_sharding()) return true;
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
  pipeline.AddPass<CallInliner>();
  pipeline.AddPass<FlattenCallGraph>();
  pipeline.AddPass<ShardingPropagation>();
  pipeline.AddPass<SpmdPartitioner>();
  pipeline.AddPass<HloDCE>();
  pipeline.AddPass<AllReduceReassociate>();
  pipeline.AddPass<WhileLoopAllReduceCodeMotion>();
  pipeline.AddPass<AllReduceCombiner>();
  return pipeline.Run(module).status();
}

}  // namespace xla
