// ModuleShardings reads the shardings of a module's instructions.
#ifndef XLA_HLO_TRANSFORMS_SPMD_MODULE_SHARDINGS_H_
#define XLA_HLO_TRANSFORMS_SPMD_MODULE_SHARDINGS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/named_sharding.h"

namespace xla {

class ModuleShardings {
 public:
  // Errors: InvalidArgument for broken shardings, and for a mesh of another
  // number of devices than the module has partitions.
  static absl::StatusOr<ModuleShardings> Create(const HloModule& module);

  // The mesh of shardings by tiles.
  const std::shared_ptr<const Mesh>& mesh() const { return mesh_; }

  // Returns the shardings of the arrays and tokens that an instruction's value
  // consists of, in pre-order. They are plain: closed, of priority 0, without
  // replicated axes, and equal meshes are one. What has no sharding, or is for
  // one device alone, is replicated. Errors: those of Create.
  absl::StatusOr<std::vector<NamedSharding>> Of(const HloInstruction& hlo);

  // Returns the device that alone is to run the instruction, if it says so.
  static std::optional<int64_t> OnlyDeviceOf(const HloInstruction& hlo);

 private:
  absl::StatusOr<NamedSharding> Read(const OpSharding& sharding, int64_t rank);

  int64_t num_partitions_ = 1;
  std::shared_ptr<const Mesh> mesh_;
  std::vector<std::shared_ptr<const Mesh>> meshes_;  // all, each once
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SPMD_MODULE_SHARDINGS_H_
