// PlainShardings: the shardings of a module's instructions, as the partitioner
// needs them.
#ifndef XLA_HLO_TRANSFORMS_SPMD_PLAIN_SHARDINGS_H_
#define XLA_HLO_TRANSFORMS_SPMD_PLAIN_SHARDINGS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/hlo/transforms/sharding/module_shardings.h"

namespace xla {

class PlainShardings {
 public:
  // Errors: those of ModuleShardings, and InvalidArgument for a mesh of another
  // number of devices than the module has partitions.
  static absl::StatusOr<PlainShardings> Create(const HloModule& module);

  // The mesh of arrays without a sharding.
  const std::shared_ptr<const DeviceMesh>& mesh() const {
    return stated_.mesh();
  }

  // Returns the shardings of the arrays and tokens that an instruction's value
  // consists of, in pre-order: closed, of priority 0, without replicated axes.
  // What has no sharding, or is for one device alone, is replicated. Errors:
  // those of Create.
  absl::StatusOr<std::vector<MeshSharding>> Of(const HloInstruction& hlo);

  // Returns the device that alone is to run the instruction, if it says so.
  absl::StatusOr<std::optional<int64_t>> OnlyDeviceOf(
      const HloInstruction& hlo);

 private:
  PlainShardings(ModuleShardings stated, int64_t num_partitions)
      : stated_(std::move(stated)), num_partitions_(num_partitions) {}

  ModuleShardings stated_;
  int64_t num_partitions_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_PLAIN_SHARDINGS_H_
