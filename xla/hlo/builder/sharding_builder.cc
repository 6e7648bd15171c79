// Protos of shardings.
#include "xla/hlo/builder/sharding_builder.h"

#include "xla/base/checked_math.h"
#include "xla/base/logging.h"

namespace xla {
namespace sharding_builder {
namespace {

OpSharding OfType(OpSharding::Type type) {
  OpSharding sharding;
  sharding.set_type(type);
  return sharding;
}

}  // namespace

OpSharding Replicate() { return OfType(OpSharding::REPLICATED); }

OpSharding Manual() { return OfType(OpSharding::MANUAL); }

OpSharding AssignDevice(int device) {
  OpSharding sharding = OfType(OpSharding::MAXIMAL);
  sharding.add_tile_assignment_dimensions(1);
  sharding.add_tile_assignment_devices(device);
  return sharding;
}

OpSharding SingleDevice(int device) { return AssignDevice(device); }

OpSharding Tile(const Shape& tile_shape,
                const TileAssignment& tile_assignment) {
  OpSharding sharding = OfType(OpSharding::OTHER);
  *sharding.mutable_tile_shape() = tile_shape.ToProto();
  for (int64_t size : tile_assignment.dimensions()) {
    sharding.add_tile_assignment_dimensions(size);
  }
  for (int64_t device : tile_assignment) {
    sharding.add_tile_assignment_devices(device);
  }
  return sharding;
}

OpSharding Tile1D(const Shape& tile_shape, int64_t num_tiles) {
  CHECK_EQ(tile_shape.dimensions_size(), 1);
  CHECK_GE(num_tiles, 1);
  Shape tile = tile_shape;
  tile.set_dimensions(0, CeilOfRatio(tile.dimensions(0), num_tiles));
  TileAssignment devices({num_tiles});
  devices.FillIota(0);
  return Tile(tile, devices);
}

OpSharding Tuple(const ShapeTree<OpSharding>& shardings) {
  OpSharding sharding = OfType(OpSharding::TUPLE);
  for (const auto& leaf : shardings.leaves()) {
    *sharding.add_tuple_shardings() = leaf.second;
  }
  return sharding;
}

}  // namespace sharding_builder
}  // namespace xla
