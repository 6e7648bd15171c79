// Reads the attributes of the sharding dialect (sdy).
#ifndef XLA_STABLEHLO_TO_HLO_CONVERSION_SDY_SHARDING_H_
#define XLA_STABLEHLO_TO_HLO_CONVERSION_SDY_SHARDING_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/stablehlo/ir/ir.h"

namespace xla::stablehlo {

// Reads what sdy.mesh defines. Errors: those of DeviceMesh::Create, and
// InvalidArgument for attributes that are no mesh.
absl::StatusOr<DeviceMesh> ReadSdyMesh(const Attribute& definition);

// Reads a list of axes and parts of axes. Errors: InvalidArgument for axes that
// the mesh lacks or that overlap.
absl::StatusOr<AxisList> ReadSdyAxes(absl::Span<const Attribute* const> axes,
                                     const DeviceMesh& mesh);

// Reads an sdy.sharding over `mesh`. Errors: InvalidArgument for axes that the
// mesh lacks or that are used twice, and unknown reductions.
absl::StatusOr<MeshSharding> ReadSdySharding(
    const Attribute& sharding, std::shared_ptr<const DeviceMesh> mesh);

}  // namespace xla::stablehlo

#endif  // XLA_STABLEHLO_TO_HLO_CONVERSION_SDY_SHARDING_H_
