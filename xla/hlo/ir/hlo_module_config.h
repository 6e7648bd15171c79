// HloModuleConfig: what compiling and running a module needs besides its graph.
#ifndef XLA_HLO_IR_HLO_MODULE_CONFIG_H_
#define XLA_HLO_IR_HLO_MODULE_CONFIG_H_

#include <cstdint>
#include <vector>

#include "xla/core/shape.h"
#include "xla/core/shape/program_shape.h"
#include "xla/proto/xla.pb.h"

namespace xla {

struct HloModuleConfig {
  // Shapes with layouts of the entry's parameters and result.
  ProgramShape entry_computation_layout;
  bool has_entry_computation_layout = false;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  bool use_spmd_partitioning = false;
  // By device number; empty if all devices belong to one process, or if it is
  // not known.
  std::vector<int32_t> process_of_device;
  // Whether results that are parameters share their buffers.
  bool alias_passthrough_params = false;
  // Whether partitioning may choose the sharding, for each parameter and
  // result; one value stands for all.
  std::vector<bool> allow_spmd_sharding_propagation_to_parameters;
  std::vector<bool> allow_spmd_sharding_propagation_to_output;
  uint64_t seed = 0;
  DebugOptions debug_options;
};

}  // namespace xla

#endif  // XLA_HLO_IR_HLO_MODULE_CONFIG_H_
