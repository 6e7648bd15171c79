// Tests that named shardings and tile assignments say the same.
#include "xla/hlo/sharding/tile_sharding.h"

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "xla/base/text_scanner.h"
#include "xla/hlo/attrs/sharding_text.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_sharding.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

OpSharding Parse(const std::string& text) {
  TextScanner scanner(text);
  auto sharding = ScanSharding(scanner);
  EXPECT_TRUE(sharding.ok()) << text << sharding.status();
  return *std::move(sharding);
}

MeshSharding ParseNamed(const std::string& text) {
  auto named = MeshSharding::FromProto(Parse(text).named_sharding());
  EXPECT_TRUE(named.ok()) << text << named.status();
  return *std::move(named);
}

std::string Print(const OpSharding& sharding) {
  std::string text;
  PrintSharding(sharding, &text);
  return text;
}

std::string Print(const MeshSharding& named) {
  OpSharding sharding;
  sharding.set_type(OpSharding::OTHER);
  *sharding.mutable_named_sharding() = named.ToProto();
  return Print(sharding);
}

TEST(TileShardingTest, AxesBecomeTiles) {
  const struct {
    const char* named;
    const char* tiles;
  } rows[] = {
      {"{mesh['x'=2,'y'=4], [{'x'}, {'y'}]}", "{devices=[2,4]<=[8]}"},
      {"{mesh['x'=2,'y'=4], [{'y'}, {'x'}]}", "{devices=[4,2]<=[2,4]T(1,0)}"},
      {"{mesh['x'=2,'y'=4], [{'x'}, {}]}",
       "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=4], [{'y'}, {}]}",
       "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=4], [{'y', 'x'}, {}]}", "{devices=[8,1]<=[2,4]T(1,0)}"},
      {"{mesh['x'=2,'y'=4], [{'x'}, {}], unreduced={'y'}}",
       "{devices=[2,1,4]<=[8] last_tile_dims={unreduced}}"},
      {"{mesh['x'=2,'y'=4], [{}, {}], unreduced={'y'}}",
       "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={unreduced, "
       "replicated}}"},
      {"{mesh['a'=2,'b'=2,'c'=2], [{'c'}, {'a'}]}",
       "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=4], [{}, {?}]}", "{replicated}"},
      {"{mesh['x'=2,'y'=4], [{}], manual={'x', 'y'}}", "{manual}"},
      {"{mesh['x'=2,'y'=4], [{}], unreduced={'x', 'y'}}", "{unreduced}"},
      {"{mesh['x'=2,'y'=4], [{'y':(1)2}, {'y':(2)2}]}",
       "{devices=[2,2,2]<=[2,4]T(1,0) last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=2], device_ids=(3,1,2,0), [{'x'}, {}]}",
       "{devices=[2,1,2]1,3,0,2 last_tile_dim_replicate}"},
      {"{mesh['x'=4], device_ids=(0,1,3,2), [{'x'}]}", "{devices=[4]0,1,3,2}"},
      {"{maximal_mesh[device_id=3]}", "{maximal device=3}"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Print(TilesOfMeshSharding(ParseNamed(row.named))), row.tiles)
        << row.named;
  }
}

// Returns the shardings over the mesh that all of them have in common.
std::vector<std::string> OverCommonMesh(const std::vector<std::string>& texts,
                                        int64_t rank, int64_t devices) {
  std::vector<OpSharding> shardings;
  for (const std::string& text : texts) shardings.push_back(Parse(text));
  std::vector<const OpSharding*> pointers;
  for (const OpSharding& sharding : shardings) pointers.push_back(&sharding);
  const auto mesh = FindCommonMesh(pointers, devices);
  EXPECT_TRUE(mesh.ok()) << mesh.status();
  const auto shared = std::make_shared<const DeviceMesh>(*mesh);
  std::vector<std::string> result;
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto named = MeshShardingOfTiles(shardings[i], rank, shared);
    EXPECT_TRUE(named.ok()) << texts[i] << named.status();
    result.push_back(Print(*named));
    // The way back gives the same text.
    if (shardings[i].type() != OpSharding::UNKNOWN) {
      EXPECT_EQ(Print(TilesOfMeshSharding(*named)), texts[i]);
    }
  }
  return result;
}

TEST(TileShardingTest, TilesBecomeAxesOfACommonMesh) {
  EXPECT_THAT(
      OverCommonMesh(
          {"{devices=[2,4]<=[8]}", "{replicated}", "{unknown}", "{manual}",
           "{devices=[4,1,2]<=[2,4]T(1,0) "
           "last_tile_dims={manual}}"},
          2, 8),
      ElementsAre("{mesh['axis_0'=2,'axis_1'=4], [{'axis_0'}, {'axis_1'}]}",
                  "{mesh['axis_0'=2,'axis_1'=4], [{}, {}]}",
                  "{mesh['axis_0'=2,'axis_1'=4], [{?}, {?}]}",
                  "{mesh['axis_0'=2,'axis_1'=4], [{}, {}], manual={'axis_0', "
                  "'axis_1'}}",
                  "{mesh['axis_0'=2,'axis_1'=4], [{'axis_1'}, {}], "
                  "manual={'axis_0'}}"));
  // The second splits an axis of the first.
  EXPECT_THAT(
      OverCommonMesh({"{devices=[4,2]<=[8]}",
                      "{devices=[2,2,2]<=[4,2]T(1,0) "
                      "last_tile_dim_replicate}"},
                     2, 8),
      ElementsAre("{mesh['axis_0'=2,'axis_1'=2,'axis_2'=2], [{'axis_0', "
                  "'axis_1'}, {'axis_2'}]}",
                  "{mesh['axis_0'=2,'axis_1'=2,'axis_2'=2], [{'axis_2'}, "
                  "{'axis_0'}]}"));
}

TEST(TileShardingTest, TilesThatDoNotFitHaveAMeshOfTheirOwn) {
  // 2 * 3 and 3 * 2 have no common axes.
  EXPECT_THAT(
      OverCommonMesh({"{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}",
                      "{devices=[6,1]0,2,1,3,5,4}"},
                     2, 6),
      ElementsAre("{mesh['axis_0'=2,'axis_1'=3], [{'axis_0'}, {'axis_1'}]}",
                  "{mesh['axis_0'=3,'axis_1'=2], [{'axis_0'}, {'axis_1'}]}",
                  "{mesh['axis_0'=6,'axis_1'=1], device_ids=(0,2,1,3,5,4), "
                  "[{'axis_0'}, {}]}"));
}

TEST(TileShardingTest, BrokenTilesAreRefused) {
  const struct {
    const char* sharding;
    const char* error;
  } rows[] = {
      {"{devices=[2,2]<=[4]}", "not those of the program's 8 devices"},
      {"{devices=[2,4]0,1,2,3,4,5,6,6}", "occurs twice"},
      {"{devices=[8]<=[8]}", "1 dimensions for an array of 2"},
      {"{maximal device=8}", "needs one of the program's devices"},
      {"{mesh['x'=8], [{'x'}]}", "1 dimensions for an array of 2"},
      {"{mesh['x'=8], [{'x'}, {'x'}]}", "used twice"},
      {"{mesh['x'=8], [{'x':(3)2}, {}]}", "(3)2 is no part of an axis"},
      {"{{replicated}}", "a tuple's sharding"},
  };
  auto mesh = DeviceMesh::Create({{"x", 8}});
  ASSERT_TRUE(mesh.ok());
  const auto shared = std::make_shared<const DeviceMesh>(*mesh);
  for (const auto& row : rows) {
    const auto named = MeshShardingOfTiles(Parse(row.sharding), 2, shared);
    ASSERT_FALSE(named.ok()) << row.sharding;
    EXPECT_THAT(std::string(named.status().message()), HasSubstr(row.error))
        << row.sharding;
  }
}

TEST(NamedShardingTest, ProtosKeepPrioritiesAndReductions) {
  MeshSharding sharding =
      ParseNamed("{mesh['x'=2,'y'=4], [{'x', ?}, {}], unreduced={'y'}}");
  EXPECT_TRUE(sharding.dimensions[0].is_open);
  EXPECT_FALSE(sharding.dimensions[1].is_open);
  sharding.dimensions[0].priority = 3;
  sharding.unreduced_kind = UnreducedKind::kMax;
  const auto read = MeshSharding::FromProto(sharding.ToProto());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, sharding);
  EXPECT_EQ(Parse(Print(sharding)).named_sharding().DebugString(),
            sharding.ToProto().DebugString());
}

TEST(NamedShardingTest, PartsAreRoundedUp) {
  const MeshSharding sharding =
      ParseNamed("{mesh['x'=2,'y'=4], [{'x'}, {}, {'y'}]}");
  EXPECT_THAT(PartSizes({7, 5, 9}, sharding), ElementsAre(4, 5, 3));
}

TEST(MeshTest, GroupsAreInTheOrderOfCoordinates) {
  const auto mesh =
      DeviceMesh::Create({{"x", 2}, {"y", 4}}, {7, 6, 5, 4, 3, 2, 1, 0});
  ASSERT_TRUE(mesh.ok());
  const AxisPart x = mesh->WholeAxis(0);
  EXPECT_THAT(mesh->GroupsAlong({x}),
              ElementsAre(ElementsAre(7, 3), ElementsAre(6, 2),
                          ElementsAre(5, 1), ElementsAre(4, 0)));
  EXPECT_THAT(mesh->GroupsAlong({AxisPart{1, 2, 2}, x}),
              ElementsAre(ElementsAre(7, 3, 6, 2), ElementsAre(5, 1, 4, 0)));
  EXPECT_THAT(mesh->CoordinatesOf({AxisPart{1, 1, 2}}),
              ElementsAre(1, 1, 0, 0, 1, 1, 0, 0));
}

TEST(MeshTest, IotaTransformsAreMinimal) {
  const auto found = FindIotaTransform({0, 4, 1, 5, 2, 6, 3, 7});
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->dims, ElementsAre(2, 4));
  EXPECT_THAT(found->perm, ElementsAre(1, 0));
  EXPECT_FALSE(FindIotaTransform({0, 2, 1}).has_value());
  EXPECT_FALSE(FindIotaTransform({1, 0}).has_value());
  EXPECT_EQ(FindIotaTransform({0, 1, 2, 3})->dims.size(), 1);
}

}  // namespace
}  // namespace xla
