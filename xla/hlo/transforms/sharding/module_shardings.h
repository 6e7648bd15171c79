// ModuleShardings: the shardings that instructions of a module state, over
// meshes each of which exists once.
#ifndef XLA_HLO_TRANSFORMS_SHARDING_MODULE_SHARDINGS_H_
#define XLA_HLO_TRANSFORMS_SHARDING_MODULE_SHARDINGS_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla {

class ModuleShardings {
 public:
  // What is stated about an array.
  struct Stated {
    std::optional<MeshSharding> sharding;
    std::optional<int64_t> group;  // of arrays that have the same sharding
  };

  // Errors: InvalidArgument for broken shardings.
  static absl::StatusOr<ModuleShardings> Create(const HloModule& module);

  // The mesh of arrays that state none: the first one in the module, or what
  // expresses all its tiles.
  const std::shared_ptr<const DeviceMesh>& mesh() const { return meshes_[0]; }

  // Returns what an instruction states about each of its arrays, in pre-order.
  // One without arrays may state where it runs; then there is one element.
  // Equal meshes are the same object. Errors: InvalidArgument, with the
  // instruction's name, for broken shardings and another number of them.
  absl::StatusOr<std::vector<Stated>> Of(const HloInstruction& hlo);

 private:
  void MakeCanonical(MeshSharding& sharding);

  std::vector<std::shared_ptr<const DeviceMesh>> meshes_;
};

}  // namespace xla

#endif  // XLA_HLO_TRANSFORMS_SHARDING_MODULE_SHARDINGS_H_
