// Reads the attributes of the module and its entry function.
#ifndef XLA_STABLEHLO_TO_HLO_ENTRY_ATTRIBUTES_H_
#define XLA_STABLEHLO_TO_HLO_ENTRY_ATTRIBUTES_H_

#include "absl/status/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Reads mhlo.num_replicas, mhlo.num_partitions and mhlo.frontend_attributes.
absl::Status ReadModuleAttributes(const Op& root, HloModule& module);

// Reads attributes of arguments: tf.aliasing_output, jax.buffer_donor
// (mhlo.buffer_donor), mhlo.layout_mode, mhlo.memory_kind, mhlo.sharding,
// mhlo.parameter_replication and mhlo.frontend_attributes; of results
// mhlo.layout_mode, mhlo.memory_kind and mhlo.sharding. The entry and its
// layout must exist. Errors: InvalidArgument for invalid values.
absl::Status ReadEntryAttributes(const Op& function, HloModule& module);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_ENTRY_ATTRIBUTES_H_
