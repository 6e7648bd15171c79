// Converts between named shardings and the tile assignments of OpSharding, the
// form of GSPMD, of HLO text and of PJRT.
#ifndef XLA_HLO_SHARDING_TILE_SHARDING_H_
#define XLA_HLO_SHARDING_TILE_SHARDING_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_sharding.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns the sharding by tiles: {replicated}, {manual}, {unreduced} or
// {maximal device=0} if one of them says all, else {devices=...} with a
// dimension for the manual, unreduced and replicated axes each, in this order.
// Devices that hold copies are in the order of their numbers, and the list is a
// transposed iota of as few dimensions as possible, if it is one. Metadata of
// op_type "sdy::reduction_op" says how partial values are reduced, unless they
// are summed.
OpSharding TilesOfMeshSharding(const MeshSharding& sharding);

// Returns the coarsest mesh of `devices` devices in order whose axes, named
// axis_0 and so on, express all of these shardings by tiles, tuples included.
// Shardings that do not fit the others before them are not expressed, nor
// others than tiles.
absl::StatusOr<DeviceMesh> FindCommonMesh(
    absl::Span<const OpSharding* const> shardings, int64_t devices);

// Returns a sharding that is no tuple, of an array of `rank` dimensions, as
// axes of `mesh`, or of a mesh of its own if those of `mesh` do not express it.
// {unknown} is replicated with open dimensions; the others are closed. Named
// shardings keep their mesh. Errors: InvalidArgument for lists of devices that
// are not those of the mesh, and for another rank.
absl::StatusOr<MeshSharding> MeshShardingOfTiles(
    const OpSharding& sharding, int64_t rank,
    const std::shared_ptr<const DeviceMesh>& mesh);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_TILE_SHARDING_H_
