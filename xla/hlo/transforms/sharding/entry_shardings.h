// Records how a program's arguments and results are divided.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_ENTRY_SHARDINGS_H_
#define XLA_HLO_TRANSFORMS_SHARDING_ENTRY_SHARDINGS_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {

// Sets the module's spmd_parameters_shardings and spmd_output_sharding, of
// which executables tell their callers, to the shardings of the entry's
// parameters and root, by tiles. To be called between propagation and
// partitioning: partitioned instructions have no shardings. Arrays without a
// sharding, and tokens, are {replicated}. Errors: InvalidArgument for broken
// shardings.
absl::Status RecordEntryShardings(HloModule* module);

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_ENTRY_SHARDINGS_H_
