// Makes the program of one device from a program with shardings.
#ifndef XLA_BACKENDS_PARTITION_MODULE_H_
#define XLA_BACKENDS_PARTITION_MODULE_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/pass/hlo_pass.h"

namespace xla {

// Whether the module has several partitions and states shardings, or has custom
// calls that only the partitioner understands. Otherwise it is the program of
// one device already, as one that says from which shardings its parts came.
bool HasShardings(const HloModule& module);

// Propagates the shardings of a verified module of several partitions, and
// partitions it, if it HasShardings; `observer`, if set, sees the module after
// each pass. Errors: those of sharding-propagation and spmd-partitioner;
// Internal if these make a module that the verifier refuses.
absl::Status PartitionModule(
    HloModule* module, const HloPassPipeline::Observer& observer = nullptr);

}  // namespace xla

#endif  // XLA_BACKENDS_PARTITION_MODULE_H_
