// Named shardings as programs written against XLA use them, alone and as
// HloShardings. Texts and tiles are those of XLA.
#include "xla/hlo/sharding/mesh_sharding.h"

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "xla/hlo/ir/hlo_sharding.h"
#include "xla/hlo/ir/mesh_and_axis.h"
#include "xla/hlo/ir/named_sharding.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/shape_util.h"

namespace xla {
namespace {

// Programs name this type so; the one of passes does not stand in the way.
using DimensionSharding = NamedSharding::DimensionSharding;
using test_utils::FromAxisNames;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Mesh MeshABCD() { return Mesh({2, 4, 3, 8}, {"a", "b", "c", "d"}); }

HloSharding ReadMeshSharding(const std::string& text) {
  auto sharding = ParseSharding(text);
  EXPECT_TRUE(sharding.ok()) << text << sharding.status();
  return *sharding;
}

std::string ErrorOf(const std::string& text) {
  const auto sharding = ParseSharding(text);
  return sharding.ok() ? "none" : std::string(sharding.status().message());
}

OpMetadata MetadataOf(const std::string& name) {
  OpMetadata metadata;
  metadata.set_op_name(name);
  return metadata;
}

TEST(DimensionShardingTest, Accessors) {
  const Mesh mesh = MeshABCD();
  const DimensionSharding whole;
  EXPECT_THAT(whole.axes(), IsEmpty());
  EXPECT_TRUE(whole.is_closed());
  EXPECT_EQ(whole.getShardedSize(mesh), 1);
  EXPECT_EQ(whole.ToString(), "{}");

  const DimensionSharding open({AxisRef(0), AxisRef(3, {2, 4})}, false);
  EXPECT_THAT(open.axes(), ElementsAre(AxisRef(0), AxisRef(3, {2, 4})));
  EXPECT_FALSE(open.is_closed());
  EXPECT_EQ(open.getShardedSize(mesh), 8);
  EXPECT_EQ(open.ToString(), "{0, 3:(2)4, ?}");
  EXPECT_EQ(open.ToString(&mesh), "{'a', 'd':(2)4, ?}");
  EXPECT_EQ(DimensionSharding({}, false).ToString(), "{?}");
  std::ostringstream out;
  out << open;
  EXPECT_EQ(out.str(), "{0, 3:(2)4, ?}");

  EXPECT_EQ(DimensionSharding::FromProto(open.ToProto()), open);
  EXPECT_NE(open, DimensionSharding(open.axes(), true));
  EXPECT_NE(open, whole);
  NamedShardingProto::DimensionSharding proto = open.ToProto();
  proto.mutable_axes(1)->mutable_sub_axis_info()->set_size(1);
  EXPECT_FALSE(DimensionSharding::ReadProto(proto).ok());
}

TEST(DimensionShardingTest, Append) {
  const Mesh mesh = MeshABCD();
  DimensionSharding sharding;
  sharding.Append(DimensionSharding(), mesh);
  EXPECT_EQ(sharding.ToString(), "{}");
  sharding.Append(DimensionSharding({AxisRef(0), AxisRef(3, {1, 2})}, false),
                  mesh);
  EXPECT_EQ(sharding.ToString(), "{0, 3:(1)2}");
  sharding.Append(DimensionSharding({AxisRef(3, {2, 2}), AxisRef(2)}, true),
                  mesh);
  EXPECT_EQ(sharding.ToString(), "{0, 3:(1)4, 2}");
  sharding.Append(DimensionSharding({AxisRef(3, {4, 2})}, true), mesh);
  EXPECT_EQ(sharding.ToString(), "{0, 3:(1)4, 2, 3:(4)2}");
  DimensionSharding two({AxisRef(1, {1, 2})}, true);
  two.Append(DimensionSharding({AxisRef(1, {2, 2})}, true), mesh);
  EXPECT_EQ(two.ToString(), "{1}");
}

TEST(DimensionShardingTest, Slice) {
  const Mesh mesh = MeshABCD();
  const struct {
    std::vector<AxisRef> axes;
    int64_t size;
    const char* taken;  // null if there is none
    const char* rest;
  } rows[] = {
      {{AxisRef(0), AxisRef(1)}, 1, "{}", "{0, 1}"},
      {{AxisRef(0), AxisRef(1)}, 2, "{0}", "{1}"},
      {{AxisRef(0), AxisRef(1)}, 8, "{0, 1}", "{}"},
      {{AxisRef(0), AxisRef(1)}, 4, "{0, 1:(1)2}", "{1:(2)2}"},
      {{AxisRef(3)}, 2, "{3:(1)2}", "{3:(2)4}"},
      {{AxisRef(3, {2, 4}), AxisRef(0)}, 2, "{3:(2)2}", "{3:(4)2, 0}"},
      {{AxisRef(2), AxisRef(1)}, 6, "{2, 1:(1)2}", "{1:(2)2}"},
      {{AxisRef(1), AxisRef(2)}, 6, nullptr, "{1, 2}"},
      {{AxisRef(0), AxisRef(1)}, 3, nullptr, "{0, 1}"},
      {{AxisRef(0), AxisRef(1)}, 16, nullptr, "{0, 1}"},
      {{AxisRef(0)}, 0, nullptr, "{0}"},
      {{AxisRef(0)}, -2, nullptr, "{0}"},
      {{}, 2, nullptr, "{}"},
  };
  for (const auto& row : rows) {
    DimensionSharding sharding(row.axes, true);
    const std::optional<DimensionSharding> taken =
        sharding.Slice(mesh, row.size);
    ASSERT_EQ(taken.has_value(), row.taken != nullptr) << row.rest;
    if (taken.has_value()) {
      EXPECT_EQ(taken->ToString(), row.taken);
    }
    EXPECT_EQ(sharding.ToString(), row.rest);
  }
  DimensionSharding open({AxisRef(0)}, false);
  EXPECT_FALSE(open.Slice(mesh, 2)->is_closed());
}

TEST(NamedShardingTest, Accessors) {
  const std::vector<OpMetadata> metadata = {MetadataOf("x")};
  const NamedSharding sharding =
      FromAxisNames(MeshABCD(), {{"c"}, {"b:(2)2", "a", "?"}, {}}, {"b:(1)2"},
                    {"d:(1)2"}, {"d:(4)2"}, metadata);
  EXPECT_EQ(sharding.mesh(), MeshABCD());
  EXPECT_EQ(sharding.num_dimensions(), 3);
  EXPECT_EQ(sharding.dim_shardings().size(), 3);
  EXPECT_EQ(sharding.dim_sharding(1).ToString(), "{1:(2)2, 0, ?}");
  EXPECT_EQ(sharding.dimension(1), 4);
  EXPECT_THAT(sharding.dimensions(), ElementsAre(3, 4, 1));
  EXPECT_THAT(sharding.replicated_axes(), ElementsAre(AxisRef(1, {1, 2})));
  EXPECT_THAT(sharding.unreduced_axes(), ElementsAre(AxisRef(3, {1, 2})));
  EXPECT_THAT(sharding.manual_axes(), ElementsAre(AxisRef(3, {4, 2})));
  EXPECT_EQ(sharding.metadata()[0].op_name(), "x");
  EXPECT_EQ(sharding.num_devices(), 2 * 4 * 3 * 8);
  const std::string text =
      "{mesh['a'=2,'b'=4,'c'=3,'d'=8], [{'c'}, {'b':(2)2, 'a', ?}, {}], "
      "replicated={'b':(1)2}, unreduced={'d':(1)2}, manual={'d':(4)2}";
  EXPECT_EQ(sharding.ToString(), text + "}");
  EXPECT_EQ(sharding.ToString(true), text + ", metadata={{op_name=\"x\"}}}");
  std::ostringstream out;
  out << sharding;
  EXPECT_EQ(out.str(), text + "}");
  const NamedSharding read = NamedSharding::FromProto(sharding.ToProto());
  EXPECT_EQ(read, sharding);
  EXPECT_EQ(read.metadata()[0].op_name(), "x");
  EXPECT_TRUE(VerifyNamedSharding(sharding).ok());
  // The form of passes says the same.
  const auto of_passes = MeshSharding::FromProto(sharding.ToProto());
  ASSERT_TRUE(of_passes.ok());
  EXPECT_EQ(of_passes->PartCount(1), 4);
}

// What XLA's HloSharding says of these texts: it is printed unchanged, is
// replicated, manual or unreduced, and is by tiles as written.
TEST(NamedShardingTest, KindsAndTilesAreThoseOfXla) {
  const struct {
    const char* text;
    const char* kind;
    const char* tiles;
  } rows[] = {
      {"{mesh['x'=2,'y'=4], [{'x'}, {}]}", "",
       "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=4], [{}, {}]}", "replicated", "{replicated}"},
      {"{mesh['x'=2,'y'=4], [{}, {?}]}", "replicated", "{replicated}"},
      {"{mesh['x'=2,'y'=4], manual}", "manual", "{manual}"},
      {"{mesh['x'=2,'y'=4], [{}, {}], manual={'x', 'y'}}", "manual",
       "{manual}"},
      {"{mesh['x'=2,'y'=4], unreduced}", "unreduced", "{unreduced}"},
      {"{mesh['x'=2,'y'=4], [{}], unreduced={'x', 'y'}}", "unreduced",
       "{unreduced}"},
      {"{mesh['x'=2,'y'=4], replicated}", "replicated", "{replicated}"},
      {"{mesh[], replicated}", "replicated", "{replicated}"},
      {"{mesh[], [{}, {?}]}", "replicated", "{replicated}"},
      {"{maximal_mesh[device_id=3]}", "maximal", "{maximal device=3}"},
      {"{mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)), [{'x'}, {'y':(2)2, ?}], "
       "replicated={'y':(1)2}}",
       "", "{devices=[2,2,2]<=[2,2,2]T(2,1,0) last_tile_dim_replicate}"},
      {"{mesh['x'=2,'y'=4], device_ids=(7,6,5,4,3,2,0,1), [{'x'}, "
       "{'y':(2)2, ?}], unreduced={'y':(1)2}}",
       "", "{devices=[2,2,2]7,5,6,4,3,0,2,1 last_tile_dims={unreduced}}"},
      {"{mesh['x'=2,'y'=4], [{'x'}, {}], manual={'y'}}", "",
       "{devices=[2,1,4]<=[8] last_tile_dims={manual}}"},
      {"{mesh['x'=2,'y'=4], [], replicated={'x'}}", "replicated",
       "{replicated}"},
      {"{mesh['x'=2,'y'=4], [{}, {}], replicated={'x'}}", "replicated",
       "{replicated}"},
      {"{mesh['x'=2,'y'=1], [{'y'}]}", "replicated", "{replicated}"},
      {"{mesh['x'=2,'y'=1], [{}], manual={'x'}}", "manual", "{manual}"},
      {"{mesh['x'=1], manual}", "manual", "{manual}"},
      {"{mesh['x'=1], unreduced}", "unreduced", "{unreduced}"},
      {"{mesh['x'=1], [{'x'}]}", "replicated", "{replicated}"},
      {"{mesh['x'=2], device_ids=(1,0), replicated}", "replicated",
       "{replicated}"},
      {"{mesh['x'=4,'y'=2], [{'x':(2)2, 'y', 'x':(1)2}]}", "",
       "{devices=[8]<=[2,4]T(1,0)}"},
      {"{mesh['x'=8,'y'=2], [{'x':(2)2}, {'y'}]}", "",
       "{devices=[2,2,4]<=[2,2,2,2]T(1,3,0,2) last_tile_dim_replicate}"},
  };
  for (const auto& row : rows) {
    const HloSharding sharding = ReadMeshSharding(row.text);
    const NamedSharding& named = sharding.named_sharding();
    EXPECT_EQ(sharding.ToString(), row.text);
    EXPECT_EQ(named.ToString(), row.text);
    const std::string kind = row.kind;
    EXPECT_EQ(named.IsReplicated(), kind == "replicated") << row.text;
    EXPECT_EQ(named.IsManual(), kind == "manual") << row.text;
    EXPECT_EQ(named.IsUnreduced(), kind == "unreduced") << row.text;
    EXPECT_EQ(named.IsMaximal(), kind == "maximal") << row.text;
    EXPECT_EQ(sharding.IsReplicated(), kind == "replicated") << row.text;
    EXPECT_EQ(sharding.IsManual(), kind == "manual") << row.text;
    EXPECT_EQ(sharding.IsUnreduced(), kind == "unreduced") << row.text;
    EXPECT_EQ(HloSharding::V3ToV2Sharding(named).ToString(), row.tiles);
    EXPECT_EQ(HloSharding(named), sharding);
    const auto read = HloSharding::FromProto(sharding.ToProto());
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(*read, sharding);
    EXPECT_EQ(read->ToString(), row.text);
  }
}

TEST(NamedShardingTest, ShardingsOfNoDimensions) {
  const std::vector<OpMetadata> metadata = {MetadataOf("x")};
  const NamedSharding replicated = NamedSharding::Replicate(metadata);
  EXPECT_EQ(replicated.ToString(), "{mesh[], replicated}");
  EXPECT_EQ(replicated.ToString(true),
            "{mesh[], replicated, metadata={{op_name=\"x\"}}}");
  EXPECT_EQ(replicated.num_devices(), 0);
  const NamedSharding maximal = NamedSharding::MaximalSharding(5, metadata);
  EXPECT_EQ(maximal.ToString(), "{maximal_mesh[device_id=5]}");
  EXPECT_EQ(maximal.num_devices(), 1);
  for (const NamedSharding& named : {replicated, maximal}) {
    EXPECT_EQ(ReadMeshSharding(named.ToString(true)).ToString(true),
              named.ToString(true));
  }
  EXPECT_EQ(HloSharding::Replicate(metadata, true), HloSharding(replicated));
  EXPECT_EQ(HloSharding::AssignDevice(5, metadata, true), HloSharding(maximal));
  EXPECT_EQ(HloSharding::AssignDevice(5, {}, true).GetUniqueDevice(), 5);
  EXPECT_EQ(HloSharding::Replicate(), HloSharding(replicated));
  EXPECT_EQ(NamedSharding(MeshABCD()).ToString(),
            "{mesh['a'=2,'b'=4,'c'=3,'d'=8], replicated}");
}

TEST(NamedShardingTest, NamesOfAxesDoNotTellShardingsApart) {
  const NamedSharding ab = FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}});
  EXPECT_EQ(ab, FromAxisNames(Mesh({2, 4}, {"x", "y"}), {{"x"}}));
  EXPECT_NE(ab, FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"b"}}));
  EXPECT_NE(ab, FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a", "?"}}));
  EXPECT_NE(ab, FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}}, {"b"}));
  EXPECT_NE(ab, FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}}, {}, {"b"}));
  EXPECT_NE(ab,
            FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}}, {}, {}, {"b"}));
  EXPECT_NE(ab, FromAxisNames(Mesh({2, 3}, {"a", "b"}), {{"a"}}));
}

// XLA ends the program on these; a reader must not.
TEST(NamedShardingTest, HostileTextsAreErrors) {
  EXPECT_THAT(ErrorOf("{mesh['x'=2,'y'=4], [{'x'}, {'x'}]}"),
              HasSubstr("uses an axis of mesh['x'=2,'y'=4] twice"));
  EXPECT_THAT(ErrorOf("{mesh['x'=2,'y'=4], [{'y':(1)2, 'y':(2)2}]}"),
              HasSubstr("one part of an axis"));
  EXPECT_THAT(
      ErrorOf("{mesh['x'=2,'y'=4], [{'x'}], replicated={'y':(2)2, 'y':(1)2}}"),
      HasSubstr("replicated axes must be in the order of the mesh"));
  EXPECT_THAT(ErrorOf("{mesh['x'=2,'y'=4], [{}], manual={'y', 'x'}}"),
              HasSubstr("manual axes must be in the order"));
  EXPECT_THAT(ErrorOf("{mesh['x'=4], [{'x':(1)4}]}"), HasSubstr("whole axis"));
  EXPECT_THAT(ErrorOf("{mesh['x'=4], [{'x':(1)3}]}"), HasSubstr("no part"));
  EXPECT_THAT(ErrorOf("{mesh['x'=4], [{'x':(1)1}]}"), HasSubstr("no part"));
  EXPECT_THAT(ErrorOf("{mesh['x'=4], [{'x':(0)2}]}"), HasSubstr("no part"));
  EXPECT_THAT(ErrorOf("{mesh['x'=0], [{'x'}]}"), HasSubstr("positive sizes"));
  EXPECT_THAT(ErrorOf("{mesh['x'=4], [{'z'}]}"), HasSubstr("no axis"));
  EXPECT_THAT(ErrorOf("{mesh['x'=2], replicated, replicated={'x'}}"),
              HasSubstr("metadata"));
  OpSharding proto = ReadMeshSharding("{mesh['x'=2], [{'x'}]}").ToProto();
  OpMetadata* metadata = proto.mutable_named_sharding()->add_metadata();
  metadata->set_op_type("sdy::reduction_op");
  metadata->set_op_name("median");
  EXPECT_THAT(HloSharding::FromProto(proto).status().message(),
              HasSubstr("unknown reduction"));
}

TEST(NamedShardingDeathTest, ConstructorsRefuseWhatIsNoSharding) {
  const Mesh mesh({2, 4}, {"a", "b"});
  EXPECT_DEATH(FromAxisNames(mesh, {{"a"}, {"a"}}), "twice");
  EXPECT_DEATH(FromAxisNames(mesh, {{"z"}}), "z in mesh");
  EXPECT_DEATH(FromAxisNames(mesh, {}, {"b", "a"}), "order of the mesh");
  EXPECT_DEATH(FromAxisNames(mesh, {{"b:(1)2", "b:(2)2"}}), "one part");
}

TEST(HloShardingTest, NamedOnesHaveTheDevicesOfTheMesh) {
  const HloSharding sharding(
      FromAxisNames(Mesh({2, 4}, {"a", "b"}), {{"a"}, {}}));
  EXPECT_TRUE(sharding.UseNamedShardingLeaf());
  EXPECT_EQ(sharding.num_devices(), 8);
  EXPECT_EQ(sharding.num_dimensions(), 2);
  EXPECT_EQ(sharding.dimension(0), 2);
  EXPECT_THAT(sharding.dimensions(), ElementsAre(2, 1));
  EXPECT_EQ(sharding.TiledDataRank(), 2);
  EXPECT_EQ(sharding.device_assignment().ToString(), "devices=[2,1,4]<=[8]");
  const Shape shape = ShapeUtil::MakeShape(F32, {5, 7});
  EXPECT_TRUE(sharding.Validate(shape, 8).ok());
  EXPECT_EQ(sharding.TileShape(shape), ShapeUtil::MakeShape(F32, {3, 7}));
  EXPECT_THAT(sharding.TileOffsetForDevice(shape, 4), ElementsAre(3, 0));
  EXPECT_EQ(HloSharding::Replicate().num_devices(), 0);
  EXPECT_THAT(HloSharding::Replicate().dimensions(), ElementsAre(0));
  EXPECT_EQ(HloSharding::Tile(Array<int64_t>({{0, 1}, {2, 3}})).ToString(),
            "{devices=[2,2]0,1,2,3}");
}

TEST(HloShardingTest, MetadataOfNamedOnes) {
  const HloSharding sharding = ReadMeshSharding(
      "{mesh['x'=2,'y'=4], [{'x'}], unreduced=max{'y'}, "
      "metadata={{op_name=\"a\"}}}");
  const std::string plain = "{mesh['x'=2,'y'=4], [{'x'}], unreduced=max{'y'}}";
  EXPECT_EQ(sharding.ToString(), plain);
  const std::vector<OpMetadata> metadata = {MetadataOf("b")};
  EXPECT_EQ(sharding.WithMetadata(metadata, /*overwrite=*/false), sharding);
  EXPECT_EQ(sharding.WithMetadata(metadata, false).ToString(true),
            sharding.ToString(true));
  const HloSharding changed = sharding.WithMetadata(metadata, true);
  EXPECT_EQ(changed.ToString(true),
            "{mesh['x'=2,'y'=4], [{'x'}], unreduced=max{'y'}, "
            "metadata={{op_name=\"b\"}}}");
  EXPECT_EQ(changed.named_sharding().metadata().back().op_name(), "b");
  EXPECT_EQ(sharding.WithoutMetadata().ToString(true), plain);
  EXPECT_EQ(sharding.WithoutMetadata()
                .WithMetadata(metadata, /*overwrite=*/false)
                .ToString(true),
            changed.ToString(true));
  EXPECT_THAT(
      HloSharding::V3ToV2Sharding(changed.named_sharding()).ToString(true),
      HasSubstr("{op_name=\"b\"}"));
}

}  // namespace
}  // namespace xla
