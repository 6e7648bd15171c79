// HloSharding as tools for partitioned programs use it.
#include <memory>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ir/tile_assignment.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

HloSharding ReadSharding(const std::string& text) {
  auto sharding = ParseSharding(text);
  EXPECT_TRUE(sharding.ok()) << text << sharding.status();
  return *sharding;
}

std::string ErrorOf(const OpSharding& proto) {
  const auto sharding = HloSharding::FromProto(proto);
  return sharding.ok() ? "none" : std::string(sharding.status().message());
}

TEST(HloShardingTest, TextsStayTheSame) {
  for (const std::string text :
       {"{replicated}", "{manual}", "{unknown}", "{unreduced}",
        "{maximal device=3}", "{devices=[2,2]<=[4]}",
        "{devices=[2,2]<=[2,2]T(1,0)}", "{devices=[2,2]0,3,1,2}",
        "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
        "{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}",
        "{devices=[2]<=[2] shard_as 7}", "{replicated shard_like 1}",
        "{devices=[2]<=[2] metadata={op_name=\"x\"}}",
        "{{replicated}, {devices=[2]<=[2]}}",
        "{mesh['a'=2,'b'=2], [{'a'}, {}]}"}) {
    const HloSharding sharding = ReadSharding(text);
    EXPECT_EQ(sharding.ToString(/*include_metadata=*/true), text);
    EXPECT_EQ(*HloSharding::FromProto(sharding.ToProto()), sharding) << text;
    EXPECT_EQ(absl::HashOf(ReadSharding(text)), absl::HashOf(sharding));
  }
  EXPECT_EQ(ReadSharding("{replicated metadata={op_name=\"x\"}}").ToString(),
            "{replicated}");
}

TEST(HloShardingTest, FormsWithOneMeaningAreOne) {
  const auto text = [](const std::string& from) {
    return ReadSharding(from).ToString();
  };
  EXPECT_EQ(text("{devices=[1,4]<=[4] last_tile_dim_replicate}"),
            "{replicated}");
  EXPECT_EQ(text("{devices=[4,1]<=[4] last_tile_dim_replicate}"),
            "{devices=[4]<=[4]}");
  EXPECT_EQ(text("{devices=[2,2]1,0,3,2 last_tile_dim_replicate}"),
            "{devices=[2,2]0,1,2,3 last_tile_dim_replicate}");
  EXPECT_EQ(text("{devices=[1,4]<=[4] last_tile_dims={manual}}"), "{manual}");
  EXPECT_EQ(
      text("{devices=[2,2,2]<=[8] last_tile_dims={replicated, manual}}"),
      "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}");
  EXPECT_EQ(text("{devices=[2,2,2]<=[8] last_tile_dims={manual, manual}}"),
            "{devices=[2,4]<=[8] last_tile_dims={manual}}");
}

TEST(HloShardingTest, Tiles) {
  const HloSharding sharding =
      ReadSharding("{devices=[2,3,2]<=[2,6]T(1,0) last_tile_dim_replicate}");
  EXPECT_TRUE(sharding.IsTiled());
  EXPECT_TRUE(sharding.HasPartialReplication());
  EXPECT_EQ(sharding.SubgroupReplicationDim(), 2);
  EXPECT_EQ(sharding.SubgroupManualDim(), -1);
  EXPECT_EQ(sharding.TiledDataRank(), 2);
  EXPECT_EQ(sharding.TotalNumTiles(), 12);
  EXPECT_EQ(sharding.NumTiles(), 6);
  EXPECT_EQ(sharding.NumTiles({1}), 3);
  EXPECT_EQ(sharding.num_devices(), 12);
  EXPECT_TRUE(sharding.UsesDevice(11));
  EXPECT_FALSE(sharding.UsesDevice(12));
  // Tile (1, 2) is the last, on devices 5 and 11.
  EXPECT_EQ(sharding.DeviceForTileIndex({1, 2}), 5);
  EXPECT_EQ(sharding.DeviceForTileIndex({1, 2, 1}), 11);
  EXPECT_THAT(sharding.TileIndexForDevice(11), ElementsAre(1, 2));
  const Shape shape = ShapeUtil::MakeShape(F32, {5, 7});
  EXPECT_THAT(sharding.TileOffsetForDevice(shape, 11), ElementsAre(3, 6));
  EXPECT_THAT(sharding.TileLimitForDevice(shape, 11), ElementsAre(5, 7));
  EXPECT_EQ(sharding.TileShape(shape), ShapeUtil::MakeShape(F32, {3, 3}));
  EXPECT_EQ(sharding.TileShape(shape, 11), ShapeUtil::MakeShape(F32, {2, 1}));

  const HloSharding one = HloSharding::AssignDevice(4);
  EXPECT_TRUE(one.IsTileMaximal());
  EXPECT_EQ(one.GetUniqueDevice(), 4);
  EXPECT_EQ(one.TileShape(shape), shape);
  EXPECT_EQ(one.NumTiles(), 1);
  EXPECT_FALSE(HloSharding::Replicate().HasUniqueDevice());
  EXPECT_TRUE(ReadSharding("{devices=[2,2]<=[4] last_tile_dims={manual}}")
                  .IsManualSubgroup());
  EXPECT_EQ(HloSharding::Tile1D(ShapeUtil::MakeShape(F32, {8}), 4).ToString(),
            "{devices=[4]<=[4]}");
}

TEST(HloShardingTest, Tuples) {
  const Shape array = ShapeUtil::MakeShape(F32, {4});
  const Shape inner = ShapeUtil::MakeTupleShape({array, array});
  const Shape shape = ShapeUtil::MakeTupleShape({array, inner});
  const HloSharding tiles = HloSharding::IotaTile({2});
  const HloSharding whole = HloSharding::Replicate();
  const HloSharding tuple = HloSharding::Tuple(shape, {tiles, whole, tiles});
  EXPECT_TRUE(tuple.Validate(shape, 2).ok());
  EXPECT_EQ(tuple.GetSubSharding(shape, {0}), tiles);
  EXPECT_EQ(tuple.GetSubSharding(shape, {1, 0}), whole);
  EXPECT_EQ(tuple.GetSubSharding(shape, {1}),
            HloSharding::Tuple(inner, {whole, tiles}));
  EXPECT_EQ(HloSharding::Tuple(tuple.GetAsShapeTree(shape)), tuple);
  EXPECT_EQ(tuple.AsShapeTree(shape)->element({1, 1}), tiles);
  EXPECT_FALSE(tuple.AsShapeTree(inner).ok());
  EXPECT_FALSE(tuple.ExtractSingleSharding().has_value());
  EXPECT_EQ(HloSharding::Single(shape, tiles).ExtractSingleSharding(), tiles);
  EXPECT_EQ(whole.NormalizeTupleSharding(array), whole);
  EXPECT_TRUE(whole.GetTupleSharding(shape)->IsReplicated());
  EXPECT_FALSE(tuple.IsReplicated());

  const HloSharding devices = HloSharding::Tuple(
      inner, {HloSharding::AssignDevice(1), HloSharding::AssignDevice(2)});
  int64_t count = 0;
  EXPECT_THAT(devices.UsedDevices(&count),
              ElementsAre(std::pair(1, 1), std::pair(2, 1)));
  EXPECT_EQ(count, 2);
  EXPECT_FALSE(devices.HasUniqueDevice());

  const Shape empty = ShapeUtil::MakeTupleShape({});
  EXPECT_EQ(HloSharding::RequiredLeaves(empty), 1);
  EXPECT_EQ(HloSharding::SingleTuple(empty, whole).ToString(),
            "{{replicated}}");

  OpMetadata name;
  name.set_op_name("x");
  EXPECT_EQ(
      tuple.WithMetadata({name}, false).tuple_elements()[1].metadata().size(),
      1);
  EXPECT_EQ(tuple.WithMetadata({name}, false), tuple);
}

TEST(HloShardingTest, ValidateSaysWhatDoesNotFit) {
  const Shape shape = ShapeUtil::MakeShape(F32, {4, 4});
  const auto error = [&](const std::string& text, int64_t devices) {
    return std::string(ReadSharding(text).Validate(shape, devices).message());
  };
  EXPECT_EQ(error("{devices=[2,2]<=[4]}", 4), "");
  EXPECT_EQ(error("{replicated}", 4), "");
  EXPECT_THAT(error("{devices=[2,2]<=[4]}", 3), HasSubstr("device 3 of 3"));
  EXPECT_THAT(error("{devices=[2,2]<=[4]}", 5), HasSubstr("all of 5 devices"));
  EXPECT_THAT(error("{devices=[2]<=[2]}", 2), HasSubstr("1 dimensions"));
  EXPECT_THAT(error("{devices=[1,1]0}", 1), HasSubstr("one tile"));
  EXPECT_THAT(error("{maximal device=9}", 4), HasSubstr("device 9 of 4"));
  EXPECT_THAT(error("{{replicated}}", 4), HasSubstr("that of a tuple"));
  EXPECT_FALSE(
      HloSharding::Tile(TileAssignment(std::make_shared<const Array<int64_t>>(
                            Array<int64_t>({{0, 1}, {1, 2}}))))
          .Validate(shape)
          .ok());
}

TEST(HloShardingTest, BrokenProtosAreErrors) {
  OpSharding proto;
  proto.set_type(OpSharding::OTHER);
  proto.add_tile_assignment_dimensions(2);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("2 tiles lists 0 devices"));
  proto.add_iota_reshape_dims(3);
  proto.add_iota_transpose_perm(0);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("2 tiles lists 3 devices"));
  proto.set_iota_transpose_perm(0, 5);
  EXPECT_NE(ErrorOf(proto), "none");
  proto.set_iota_transpose_perm(0, 0);
  proto.set_iota_reshape_dims(0, 2);
  EXPECT_EQ(ErrorOf(proto), "none");
  proto.add_last_tile_dims(OpSharding::MAXIMAL);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("MAXIMAL"));
  proto.set_last_tile_dims(0, OpSharding::MANUAL);
  proto.add_last_tile_dims(OpSharding::MANUAL);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("2 subgroups have 1 dimensions"));
  proto.set_replicate_on_last_tile_dim(true);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("last_tile_dim_replicate"));
  proto.set_tile_assignment_dimensions(0, int64_t{1} << 40);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("devices"));
  proto.set_tile_assignment_dimensions(0, -1);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("size -1"));

  OpSharding maximal;
  maximal.set_type(OpSharding::MAXIMAL);
  EXPECT_THAT(ErrorOf(maximal), HasSubstr("0 devices"));
  OpSharding tuple;
  tuple.set_type(OpSharding::TUPLE);
  tuple.add_tuple_shardings()->set_type(OpSharding::TUPLE);
  EXPECT_THAT(ErrorOf(tuple), HasSubstr("tuple"));
}

TEST(HloShardingTest, NamedShardingsAreAlsoTiles) {
  const HloSharding named = ReadSharding("{mesh['a'=2,'b'=3], [{'b'}, {'a'}]}");
  EXPECT_TRUE(named.UseNamedShardingLeaf());
  const HloSharding tiles = HloSharding::V3ToV2Sharding(named.named_sharding());
  EXPECT_EQ(tiles.ToString(), "{devices=[3,2]<=[2,3]T(1,0)}");
  EXPECT_FALSE(tiles.UseNamedShardingLeaf());
  EXPECT_EQ(named.tile_assignment(), tiles.tile_assignment());
  EXPECT_EQ(named, tiles);
}

}  // namespace
}  // namespace xla
