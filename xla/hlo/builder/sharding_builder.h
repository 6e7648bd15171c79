// Makes the protos of shardings that XlaBuilder::SetSharding takes.
#ifndef XLA_HLO_BUILDER_SHARDING_BUILDER_H_
#define XLA_HLO_BUILDER_SHARDING_BUILDER_H_

#include <cstdint>

#include "xla/core/array/array.h"
#include "xla/core/shape.h"
#include "xla/core/shape_tree.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {
namespace sharding_builder {

// The devices of tiles, with as many dimensions as the array has.
using TileAssignment = Array<int64_t>;

// Every device has all of the value.
OpSharding Replicate();
// The devices' values are parts already, which the partitioner leaves alone.
OpSharding Manual();
// One device has the value. XLA has renamed the first to the second.
OpSharding AssignDevice(int device);
OpSharding SingleDevice(int device);

// Each device of the assignment has a tile of shape `tile_shape`; the last ones
// of a dimension are padded.
OpSharding Tile(const Shape& tile_shape, const TileAssignment& tile_assignment);
// Cuts `tile_shape`, of one dimension (CHECK), in as many tiles of equal size,
// at least one (CHECK), for devices 0, 1, 2, ....
OpSharding Tile1D(const Shape& tile_shape, int64_t num_tiles);

// Has the shardings of the tree's leaves, in order.
OpSharding Tuple(const ShapeTree<OpSharding>& shardings);

}  // namespace sharding_builder
}  // namespace xla

#endif  // XLA_HLO_BUILDER_SHARDING_BUILDER_H_
