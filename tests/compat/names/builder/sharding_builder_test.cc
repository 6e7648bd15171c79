// Uses every name of xla/hlo/builder/sharding_builder.h.
#include "xla/hlo/builder/sharding_builder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/compat/names/program_values.h"

namespace xla {
namespace {

using ::testing::ElementsAre;

TEST(ShardingBuilderNamesTest, Protos) {
  EXPECT_EQ(sharding_builder::Replicate().type(), OpSharding::REPLICATED);
  EXPECT_EQ(sharding_builder::Manual().type(), OpSharding::MANUAL);
  const OpSharding device = sharding_builder::AssignDevice(3);
  EXPECT_EQ(device.type(), OpSharding::MAXIMAL);
  EXPECT_THAT(device.tile_assignment_dimensions(), ElementsAre(1));
  EXPECT_THAT(device.tile_assignment_devices(), ElementsAre(3));
  EXPECT_EQ(sharding_builder::SingleDevice(3).SerializeAsString(),
            device.SerializeAsString());

  const Shape tile = ShapeUtil::MakeShape(F32, {4, 2});
  sharding_builder::TileAssignment devices({1, 2});
  devices.SetValues({1, 0});
  const OpSharding tiles = sharding_builder::Tile(tile, devices);
  EXPECT_EQ(tiles.type(), OpSharding::OTHER);
  EXPECT_THAT(tiles.tile_shape().dimensions(), ElementsAre(4, 2));
  EXPECT_THAT(tiles.tile_assignment_dimensions(), ElementsAre(1, 2));
  EXPECT_THAT(tiles.tile_assignment_devices(), ElementsAre(1, 0));

  const OpSharding row =
      sharding_builder::Tile1D(ShapeUtil::MakeShape(F32, {5}), 2);
  EXPECT_THAT(row.tile_shape().dimensions(), ElementsAre(3));
  EXPECT_THAT(row.tile_assignment_dimensions(), ElementsAre(2));
  EXPECT_THAT(row.tile_assignment_devices(), ElementsAre(0, 1));

  ShapeTree<OpSharding> tree(ShapeUtil::MakeTupleShape({tile, tile}), tiles);
  *tree.mutable_element({1}) = sharding_builder::Replicate();
  const OpSharding tuple = sharding_builder::Tuple(tree);
  EXPECT_EQ(tuple.type(), OpSharding::TUPLE);
  ASSERT_EQ(tuple.tuple_shardings_size(), 2);
  EXPECT_EQ(tuple.tuple_shardings(0).type(), OpSharding::OTHER);
  EXPECT_EQ(tuple.tuple_shardings(1).type(), OpSharding::REPLICATED);
}

TEST(ShardingBuilderNamesTest, Annotates) {
  XlaBuilder b("b");
  b.SetSharding(sharding_builder::Replicate());
  XlaOp x = names_testing::Scalar(&b, 1);
  EXPECT_EQ(b.GetOpSharding(x).value()->type(), OpSharding::REPLICATED);
}

}  // namespace
}  // namespace xla
