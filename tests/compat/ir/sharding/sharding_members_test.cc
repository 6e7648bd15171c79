// Members of shardings that programs written against XLA use: named shardings
// of all axes, axes that are left, prefixes, tiles one by one, groups.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "xla/array.h"
#include "xla/hlo/builder/spmd_shapes.h"
#include "xla/hlo/builder/xla_builder.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ir/mesh_and_axis.h"
#include "xla/hlo/ir/named_sharding.h"
#include "xla/hlo/ir/replica_group.h"
#include "xla/hlo/ir/tile_assignment.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ShardingMembersTest, AllAxes) {
  const Mesh mesh({2, 8}, {"a", "b"});
  const NamedSharding unreduced = NamedSharding::Unreduced(mesh);
  EXPECT_TRUE(unreduced.IsUnreduced());
  EXPECT_EQ(unreduced.ToString(), "{mesh['a'=2,'b'=8], unreduced}");
  const NamedSharding manual = NamedSharding::Manual(mesh);
  EXPECT_TRUE(manual.IsManual());
  EXPECT_EQ(manual.ToString(), "{mesh['a'=2,'b'=8], manual}");
  EXPECT_TRUE(NamedSharding::Manual(Mesh()).IsReplicated());
}

TEST(ShardingMembersTest, ImplicitlyReplicatedAxes) {
  const Mesh mesh({2, 4, 3, 5}, {"a", "b", "c", "d"});
  EXPECT_THAT(test_utils::FromAxisNames(mesh, {{"a", "b"}, {"c"}, {"d"}})
                  .GetImplicitlyReplicatedAxes(),
              IsEmpty());
  EXPECT_THAT(test_utils::FromAxisNames(mesh, {{"a"}}, {"d"})
                  .GetImplicitlyReplicatedAxes(),
              ElementsAre(AxisRef(1), AxisRef(2)));
  EXPECT_THAT(test_utils::FromAxisNames(mesh, {{"a"}}, {"b"}, {"c"}, {"d"})
                  .GetImplicitlyReplicatedAxes(),
              IsEmpty());
  const Mesh parts({8, 9, 1}, {"a", "b", "one"});
  EXPECT_THAT(test_utils::FromAxisNames(parts, {{"a:(1)2"}}, {"a:(4)2"})
                  .GetImplicitlyReplicatedAxes(),
              ElementsAre(AxisRef(0, {2, 2}), AxisRef(1)));
  EXPECT_THAT(
      test_utils::FromAxisNames(parts, {{"a:(2)2"}}, {}, {"b:(3)3"})
          .GetImplicitlyReplicatedAxes(),
      ElementsAre(AxisRef(0, {1, 2}), AxisRef(0, {4, 2}), AxisRef(1, {1, 3})));
}

TEST(ShardingMembersTest, PartialReplication) {
  const Mesh mesh({2, 2}, {"a", "b"});
  const auto has = [](const NamedSharding& sharding) {
    return sharding.HasPartialReplication();
  };
  EXPECT_FALSE(has(NamedSharding(Mesh(5))));
  EXPECT_FALSE(has(NamedSharding::Replicate()));
  EXPECT_FALSE(has(NamedSharding(mesh)));
  EXPECT_FALSE(has(test_utils::FromAxisNames(mesh, {{"a"}, {"b"}})));
  EXPECT_TRUE(has(test_utils::FromAxisNames(mesh, {{"a"}})));
  EXPECT_TRUE(has(test_utils::FromAxisNames(mesh, {{"a"}}, {"b"})));
  EXPECT_FALSE(has(test_utils::FromAxisNames(mesh, {{"a"}}, {}, {"b"})));
  EXPECT_FALSE(has(test_utils::FromAxisNames(mesh, {{"a"}}, {}, {}, {"b"})));
}

TEST(ShardingMembersTest, Prefixes) {
  const Mesh mesh({2, 4, 3}, {"a", "b", "c"});
  const auto of = [](std::vector<AxisRef> axes) {
    return NamedSharding::DimensionSharding(axes, /*is_closed=*/true);
  };
  const auto a = of({AxisRef(0)}), b = of({AxisRef(1)});
  const auto ab = of({AxisRef(0), AxisRef(1)});
  const auto b1 = of({AxisRef(1, {1, 2})}), b2 = of({AxisRef(1, {2, 2})});
  const auto b1_c = of({AxisRef(1, {1, 2}), AxisRef(2)});
  EXPECT_TRUE(a.IsPrefixOf(a, mesh, mesh));
  EXPECT_TRUE(of({}).IsPrefixOf(a, mesh, mesh));
  EXPECT_TRUE(of({}).IsPrefixOf(of({}), mesh, mesh));
  EXPECT_TRUE(a.IsPrefixOf(ab, mesh, mesh));
  EXPECT_FALSE(ab.IsPrefixOf(a, mesh, mesh));
  EXPECT_FALSE(b.IsPrefixOf(ab, mesh, mesh));
  EXPECT_TRUE(b1.IsPrefixOf(b, mesh, mesh));
  EXPECT_FALSE(b2.IsPrefixOf(b, mesh, mesh));
  EXPECT_FALSE(b.IsPrefixOf(b1, mesh, mesh));
  EXPECT_FALSE(b.IsPrefixOf(b1_c, mesh, mesh));
  EXPECT_FALSE(a.IsPrefixOf(a, mesh, Mesh({4, 2, 3}, {"a", "b", "c"})));
}

TEST(ShardingMembersTest, EachTile) {
  using Tile = std::tuple<int64_t, std::vector<int64_t>, std::vector<int64_t>>;
  std::vector<Tile> tiles;
  const auto record = [&](int64_t device, absl::Span<const int64_t> offset,
                          absl::Span<const int64_t> limit) {
    tiles.push_back(
        {device, {offset.begin(), offset.end()}, {limit.begin(), limit.end()}});
  };
  const HloSharding tiled =
      HloSharding::PartialTile(TileAssignment({2, 1, 2}, {2, 2}, {1, 0}));
  ASSERT_TRUE(tiled.EachTile({5, 3}, record).ok());
  EXPECT_THAT(tiles,
              ElementsAre(Tile(0, {0, 0}, {3, 3}), Tile(2, {0, 0}, {3, 3}),
                          Tile(1, {3, 0}, {5, 3}), Tile(3, {3, 0}, {5, 3})));
  std::vector<std::pair<std::vector<int64_t>, int64_t>> indices;
  tiled.EachTile([&](absl::Span<const int64_t> index, int64_t device) {
    indices.push_back({{index.begin(), index.end()}, device});
  });
  EXPECT_EQ(indices.size(), 4u);
  EXPECT_EQ(indices[1].first, std::vector<int64_t>({0, 0, 1}));
  EXPECT_EQ(indices[1].second, 2);

  tiles.clear();
  const HloSharding named(
      test_utils::FromAxisNames(Mesh({2, 2}, {"a", "b"}), {{"b"}, {"a"}}));
  ASSERT_TRUE(named.EachTile({2, 2}, record).ok());
  EXPECT_THAT(tiles,
              ElementsAre(Tile(0, {0, 0}, {1, 1}), Tile(2, {0, 1}, {1, 2}),
                          Tile(1, {1, 0}, {2, 1}), Tile(3, {1, 1}, {2, 2})));

  EXPECT_EQ(tiled.EachTile({5}, record).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(HloSharding::Replicate().EachTile({5}, record).code(),
            absl::StatusCode::kInvalidArgument);
  const Array<int64_t> devices(absl::Span<const int64_t>({2}), 7);
  EXPECT_EQ(HloSharding::Tile(devices).EachTile({5}, record).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ShardingMembersTest, FactorsOfAssignments) {
  const auto text = [](const std::vector<SubDimInfo>& sub_dims) {
    std::string all;
    for (const SubDimInfo& each : sub_dims) {
      all += std::to_string(each.tile_dim_index) + "." +
             std::to_string(each.tile_sub_dim_index) + "<" +
             std::to_string(each.reshape_dim_index) + ":" +
             std::to_string(each.size) + " ";
    }
    return all;
  };
  const auto found = GetOrderedSubDims({6, 35}, {7, 10, 3}, {2, 1, 0});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(text(*found), "1.0<0:7 0.0<1:2 1.1<1:5 0.1<2:3 ");
  const auto invalid = [](auto... lists) {
    return GetOrderedSubDims(lists...).status().code() ==
           absl::StatusCode::kInvalidArgument;
  };
  using Ints = std::vector<int64_t>;
  EXPECT_TRUE(invalid(Ints{2, 3}, Ints{2, 3}, std::vector<int>{1, 0}));
  EXPECT_TRUE(invalid(Ints{2, 3}, Ints{2, 2}, std::vector<int>{1, 0}));
  EXPECT_TRUE(invalid(Ints{2, 3}, Ints{2, 3}, std::vector<int>{0}));
  EXPECT_TRUE(invalid(Ints{0}, Ints{0}, std::vector<int>{0}));

  const auto of_iota = GetOrderedSubDimsFromIotaTileAssignment(
      IotaTileAssignment::Create({8, 1}, {4, 2}, {1, 0}));
  ASSERT_TRUE(of_iota.has_value());
  EXPECT_EQ(text(*of_iota), "0.0<0:4 0.1<1:2 ");
  EXPECT_FALSE(GetOrderedSubDimsFromIotaTileAssignment(
                   IotaTileAssignment::Create({2, 5}, {2, 5}, {1, 0}))
                   .has_value());

  const auto mesh_of = [](const TileAssignment& assignment) {
    const auto result = AnalyzeTileAssignment(assignment);
    return result.has_value() ? result->local_mesh : std::vector<int64_t>();
  };
  EXPECT_THAT(mesh_of(TileAssignment({6, 35}, {7, 10, 3}, {2, 1, 0})),
              ElementsAre(7, 2, 5, 3));
  auto in_order =
      std::make_shared<Array<int64_t>>(std::vector<int64_t>{1, 2, 1, 2});
  in_order->FillIota(0);
  EXPECT_THAT(mesh_of(TileAssignment(in_order)), ElementsAre(2, 2));
  in_order->FillIota(1);
  EXPECT_FALSE(AnalyzeTileAssignment(TileAssignment(in_order)).has_value());
}

TEST(ShardingMembersTest, NoReplicaGroups) {
  const IotaReplicaGroupList none(0, 0);
  EXPECT_EQ(none.num_replica_groups(), 0);
  EXPECT_EQ(none.num_devices_per_group(), 0);
  EXPECT_THAT(none.flattened_replica_groups(), IsEmpty());
  EXPECT_EQ(none.ToString(), "[0,0]<=[0]");
  EXPECT_EQ(CollectiveDeviceList(none).replica_groups().size(), 0u);
}

TEST(ShardingMembersTest, NamedOnesHaveGroups) {
  for (const std::string text : {"{mesh['a'=2,'b'=2], [{'a'}, {}] shard_as 7}",
                                 "{mesh['a'=2], replicated shard_like 1}"}) {
    const auto sharding = ParseSharding(text);
    ASSERT_TRUE(sharding.ok()) << sharding.status();
    EXPECT_TRUE(sharding->IsShardGroup());
    EXPECT_EQ(sharding->ToString(), text);
    EXPECT_EQ(*HloSharding::FromProto(sharding->ToProto()), *sharding);
  }
  HloSharding named(NamedSharding::Replicate());
  named.SetShardGroup(HloSharding::ShardAs(3));
  EXPECT_EQ(HloSharding::FromProto(named.ToProto())->GetShardGroup(),
            HloSharding::ShardAs(3));
}

TEST(ShardingMembersTest, TilesByName) {
  const struct {
    HloSharding tiles;
    std::string named;
  } rows[] = {
      {HloSharding::Replicate(), "{mesh[], replicated}"},
      {HloSharding::AssignDevice(5), "{maximal_mesh[device_id=5]}"},
      {HloSharding::IotaTile({3, 1, 4}),
       "{mesh['axis_0'=3,'axis_1'=4], [{'axis_0'}, {}, {'axis_1'}]}"},
      {HloSharding::IotaTile({8}, {4, 2}, {1, 0}),
       "{mesh['axis_0'=4,'axis_1'=2], [{'axis_1', 'axis_0'}]}"},
      {HloSharding::IotaTile({6, 35}, {7, 10, 3}, {2, 1, 0}),
       "{mesh['axis_0'=7,'axis_1'=2,'axis_2'=5,'axis_3'=3], "
       "[{'axis_3', 'axis_1'}, {'axis_2', 'axis_0'}]}"},
      {HloSharding::IotaTile({2, 5}, {2, 5}, {1, 0}),
       "{mesh['axis_0'=2,'axis_1'=5], device_ids=([2,5]T(1,0)), "
       "[{'axis_0'}, {'axis_1'}]}"},
      {HloSharding::PartialTile(TileAssignment({4, 2})),
       "{mesh['axis_0'=4,'axis_1'=2], [{'axis_0'}], replicated={'axis_1'}}"},
      {HloSharding::Subgroup(
           TileAssignment({2, 3, 4, 5}),
           {OpSharding::MANUAL, OpSharding::UNREDUCED, OpSharding::REPLICATED}),
       "{mesh['axis_0'=2,'axis_1'=3,'axis_2'=4,'axis_3'=5], [{'axis_0'}], "
       "replicated={'axis_3'}, unreduced={'axis_2'}, manual={'axis_1'}}"},
      {HloSharding::Tile(
           Array<int64_t>(absl::Span<const int64_t>({2, 1, 2}),
                          absl::Span<const int64_t>({3, 0, 1, 2}))),
       "{mesh['axis_0'=2,'axis_1'=2], device_ids=(3,0,1,2), "
       "[{'axis_0'}, {}, {'axis_1'}]}"},
  };
  for (const auto& row : rows) {
    const NamedSharding named = HloSharding::ToNamedSharding(row.tiles);
    EXPECT_EQ(named.ToString(), row.named);
    EXPECT_EQ(HloSharding::V3ToV2Sharding(named), row.tiles);
    EXPECT_EQ(HloSharding::ToNamedSharding(HloSharding(named)), named);
    EXPECT_TRUE(HloSharding::ToV3Sharding(row.tiles).UseNamedShardingLeaf());
  }
  EXPECT_EQ(
      HloSharding::ToNamedSharding(HloSharding::IotaTile({1, 1})).ToString(),
      "{mesh['axis_0'=1], [{}, {}]}");
}

TEST(ShardingMembersTest, NamedOnesThatTilesGiveBack) {
  const std::vector<absl::string_view> names = {"axis_0", "axis_1"};
  const auto round_trip = [](const NamedSharding& named) {
    return HloSharding::ToNamedSharding(HloSharding::V3ToV2Sharding(named));
  };
  // A list of devices that is also an iota.
  const Mesh list(Array<int64_t>({{0, 3}, {1, 4}, {2, 5}}), names);
  for (const NamedSharding& named :
       {NamedSharding::Replicate(), NamedSharding::MaximalSharding(2),
        test_utils::FromAxisNames(Mesh({4, 3}, names),
                                  {{"axis_0"}, {"axis_1"}}),
        test_utils::FromAxisNames(list, {{"axis_0"}, {"axis_1"}})}) {
    EXPECT_EQ(round_trip(named), named);
  }
  const NamedSharding part =
      test_utils::FromAxisNames(Mesh({6}, {"axis_0"}), {{"axis_0:(1)3"}});
  EXPECT_EQ(round_trip(part).ToString(),
            "{mesh['axis_0'=3,'axis_1'=2], [{'axis_0'}], "
            "replicated={'axis_1'}}");
  EXPECT_EQ(HloSharding::V3ToV2Sharding(round_trip(part)),
            HloSharding::V3ToV2Sharding(part));
}

TEST(ShardingMembersTest, LeavesByName) {
  HloSharding tiled = HloSharding::IotaTile({2, 2});
  OpMetadata metadata;
  metadata.set_op_name("x");
  tiled = tiled.WithMetadata({metadata}, /*overwrite=*/true);
  tiled.SetShardGroup(HloSharding::ShardLike(3));
  const HloSharding tuple = HloSharding::FlatTuple(
      {HloSharding::Replicate(), tiled, HloSharding::Manual()});
  EXPECT_TRUE(tuple.IsTuple());
  const HloSharding named = HloSharding::ToV3Sharding(tuple);
  EXPECT_EQ(named.ToString(/*include_metadata=*/true),
            "{{mesh[], replicated}, {mesh['axis_0'=2,'axis_1'=2], "
            "[{'axis_0'}, {'axis_1'}], metadata={{op_name=\"x\"}} "
            "shard_like 3}, {manual}}");
  EXPECT_EQ(named, tuple);
  EXPECT_EQ(HloSharding::ToV3Sharding(named), named);
}

TEST(ShardingMembersTest, FormsAreEqual) {
  EXPECT_EQ(HloSharding::Replicate(), HloSharding::Replicate({}, true));
  EXPECT_EQ(HloSharding::AssignDevice(5),
            HloSharding::AssignDevice(5, {}, true));
  EXPECT_NE(HloSharding::AssignDevice(4),
            HloSharding::AssignDevice(5, {}, true));
  const Mesh mesh({2, 2}, {"a", "b"});
  const HloSharding closed(test_utils::FromAxisNames(mesh, {{"a"}}));
  const HloSharding open(test_utils::FromAxisNames(mesh, {{"a", "?"}}));
  const HloSharding tiles = HloSharding::PartialTile(TileAssignment({2, 2}));
  EXPECT_EQ(closed, tiles);
  EXPECT_EQ(tiles, open);
  EXPECT_NE(open, closed);
  EXPECT_NE(closed, HloSharding::IotaTile({2, 2}));
  EXPECT_EQ(absl::HashOf(closed), absl::HashOf(tiles));
}

TEST(ShardingMembersTest, ProtosOfNamedOnesHaveNoType) {
  const HloSharding named(test_utils::FromAxisNames(Mesh({2}, {"a"}), {{"a"}}));
  const OpSharding proto = named.ToProto();
  EXPECT_TRUE(proto.has_named_sharding());
  EXPECT_EQ(proto.type(), OpSharding().type());
  EXPECT_EQ(HloSharding::FromProto(proto).value(), named);
}

TEST(ShardingMembersTest, LeavesAndSubgroupsByKind) {
  EXPECT_TRUE(HloSharding::Manual().IsManualLeaf());
  EXPECT_TRUE(HloSharding::Unknown().IsUnknownLeaf());
  EXPECT_TRUE(HloSharding::Unreduced().IsUnreducedLeaf());
  const HloSharding tiles = HloSharding::IotaTile({4});
  EXPECT_TRUE(tiles.IsTiledLeaf());
  EXPECT_FALSE(tiles.IsUnreducedSubgroup());
  EXPECT_EQ(tiles.SubgroupUnreducedDim(), -1);
  const HloSharding sums = HloSharding::Subgroup(
      TileAssignment({2, 2, 3}), {OpSharding::MANUAL, OpSharding::UNREDUCED});
  EXPECT_TRUE(sums.IsUnreducedSubgroup());
  EXPECT_EQ(sums.SubgroupManualDim(), 1);
  EXPECT_EQ(sums.SubgroupUnreducedDim(), 2);
  EXPECT_TRUE(HloSharding::FlatTuple({sums, sums}).IsUnreducedSubgroup());
  EXPECT_FALSE(HloSharding::FlatTuple({sums, tiles}).IsUnreducedSubgroup());
  EXPECT_TRUE(HloSharding::IsReservedDevice(-1));
  EXPECT_FALSE(HloSharding::IsReservedDevice(0));
}

TEST(ShardingMembersTest, MarksOfPartsReadNames) {
  XlaBuilder b("b");
  const XlaOp whole =
      Parameter(&b, 0, ShapeUtil::MakeShape(F32, {6, 8}), "whole");
  const OpSharding named =
      HloSharding(
          test_utils::FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}, {"b"}}))
          .ToProto();
  const auto part = ConvertSpmdFullToShardShape(&b, whole, 1, named, {});
  ASSERT_TRUE(part.ok()) << part.status();
  EXPECT_EQ(b.GetShape(*part)->dimensions(1), 2);
  EXPECT_EQ(b.GetShape(*part)->dimensions(0), 6);
  EXPECT_TRUE(ConvertSpmdShardToFullShape(
                  &b, *part, ShapeUtil::MakeShape(F32, {6, 8}), 1, named, {})
                  .ok());
  const OpSharding of_vector =
      HloSharding(test_utils::FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}}))
          .ToProto();
  EXPECT_EQ(
      ConvertSpmdFullToShardShape(&b, whole, 0, of_vector, {}).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace xla
