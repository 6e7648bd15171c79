// Meshes and axes as programs written against XLA use them. Texts are those of
// XLA's printer.
#include "xla/hlo/sharding/mesh_and_axis.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Mesh MeshOf(const TileAssignment& devices,
            const std::vector<absl::string_view>& names) {
  return Mesh(devices, names);
}

// The error of reading a mesh.
std::string ErrorOf(const MeshProto& proto) {
  const auto mesh = Mesh::ReadProto(proto);
  return mesh.ok() ? "none" : std::string(mesh.status().message());
}

TEST(MeshTest, EmptyMeshesHaveNoDevices) {
  const Mesh mesh;
  EXPECT_FALSE(mesh.IsMaximal());
  EXPECT_EQ(mesh.num_axes(), 0);
  EXPECT_THAT(mesh.axis_names(), IsEmpty());
  EXPECT_EQ(mesh.device_assignment().num_elements(), 0);
  EXPECT_EQ(mesh.ToString(), "mesh[]");
  EXPECT_EQ(mesh.ToProto().ByteSizeLong(), 0);
  EXPECT_EQ(Mesh::FromProto(MeshProto()), mesh);
}

TEST(MeshTest, MaximalMeshesHaveOneDevice) {
  const Mesh mesh(5);
  EXPECT_TRUE(mesh.IsMaximal());
  EXPECT_EQ(mesh.device_assignment().first(), 5);
  EXPECT_EQ(mesh.ToString(), "maximal_mesh[device_id=5]");
  EXPECT_THAT(mesh.ToProto().device_ids(), ElementsAre(5));
  EXPECT_EQ(Mesh::FromProto(mesh.ToProto()), mesh);
  EXPECT_NE(mesh, Mesh(4));
  EXPECT_NE(mesh, Mesh());
  // One device of an axis is not the same.
  EXPECT_FALSE(MeshOf(TileAssignment({1, 1}), {"a", "b"}).IsMaximal());
}

TEST(MeshTest, DevicesInOrder) {
  const Mesh mesh({2, 4}, {"a", "b"});
  EXPECT_FALSE(mesh.IsMaximal());
  EXPECT_EQ(mesh.num_axes(), 2);
  EXPECT_THAT(mesh.axis_names(), ElementsAre("a", "b"));
  EXPECT_THAT(mesh.axis_sizes(), ElementsAre(2, 4));
  EXPECT_EQ(mesh.axis_size(1), 4);
  EXPECT_EQ(mesh.device_assignment()(1, 2), 6);
  EXPECT_EQ(mesh.ToString(), "mesh['a'=2,'b'=4]");
  EXPECT_EQ(mesh.ToProto().axes(1).name(), "b");
  EXPECT_THAT(mesh.ToProto().device_ids(), IsEmpty());
  EXPECT_FALSE(mesh.ToProto().has_iota_transform());
  EXPECT_EQ(Mesh::FromProto(mesh.ToProto()), mesh);
  std::ostringstream out;
  out << mesh;
  EXPECT_EQ(out.str(), "mesh['a'=2,'b'=4]");
}

TEST(MeshTest, DevicesInAnotherOrder) {
  const Mesh iota = MeshOf(TileAssignment({2, 4}, {4, 2}, {1, 0}), {"a", "b"});
  EXPECT_EQ(iota.ToString(), "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0))");
  EXPECT_THAT(iota.ToProto().iota_transform().reshape_dims(),
              ElementsAre(4, 2));
  EXPECT_EQ(Mesh::FromProto(iota.ToProto()), iota);
  EXPECT_TRUE(
      Mesh::FromProto(iota.ToProto()).device_assignment().iota().has_value());

  const Mesh list(Array<int64_t>({{0, 2}, {3, 1}}), {"a", "b"});
  EXPECT_EQ(list.ToString(), "mesh['a'=2,'b'=2], device_ids=(0,2,3,1)");
  EXPECT_THAT(list.ToProto().device_ids(), ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(Mesh::FromProto(list.ToProto()), list);

  // The list of an iota is the same mesh as the iota.
  const Mesh written(Array<int64_t>({{0, 2, 4, 6}, {1, 3, 5, 7}}), {"a", "b"});
  EXPECT_EQ(written, iota);
  EXPECT_EQ(absl::HashOf(written), absl::HashOf(iota));
  const Mesh in_order(Array<int64_t>({{0, 1}, {2, 3}}), {"a", "b"});
  EXPECT_EQ(in_order.ToString(), "mesh['a'=2,'b'=2]");
}

TEST(MeshTest, NamesCountForEqualityAlone) {
  const Mesh a({2, 4}, {"a", "b"}), b({2, 4}, {"x", "b"});
  EXPECT_NE(a, b);
  EXPECT_TRUE(a.DeviceAssignmentEquals(b));
  EXPECT_FALSE(a.DeviceAssignmentEquals(Mesh({4, 2}, {"a", "b"})));
}

TEST(MeshTest, AllAxesInOrder) {
  const Mesh mesh({2, 4}, {"a", "b"});
  const AxisRef a(0), b(1), part(1, {1, 2});
  EXPECT_TRUE(mesh.ContainsAllMeshAxesInOrder({a, b}));
  EXPECT_FALSE(mesh.ContainsAllMeshAxesInOrder({b, a}));
  EXPECT_FALSE(mesh.ContainsAllMeshAxesInOrder({a}));
  EXPECT_FALSE(mesh.ContainsAllMeshAxesInOrder({a, part}));
}

TEST(MeshTest, HostileProtosAreErrors) {
  MeshProto proto;
  proto.add_axes()->set_name("a");
  proto.mutable_axes(0)->set_size(0);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("positive sizes"));
  proto.mutable_axes(0)->set_size(int64_t{1} << 40);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("at most"));
  proto.mutable_axes(0)->set_size(2);
  EXPECT_EQ(ErrorOf(proto), "none");
  proto.add_device_ids(1);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("each once"));
  proto.add_device_ids(1);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("each once"));
  proto.set_device_ids(0, -1);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("each once"));
  proto.set_device_ids(0, 0);
  EXPECT_EQ(ErrorOf(proto), "none");
  EXPECT_EQ(Mesh::FromProto(proto).ToString(), "mesh['a'=2]");
  *proto.add_axes() = proto.axes(0);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("two axes 'a'"));
  proto.clear_device_ids();
  proto.mutable_axes(1)->set_name("b");
  proto.mutable_iota_transform()->add_reshape_dims(4);
  EXPECT_THAT(ErrorOf(proto), HasSubstr("iota"));
  proto.mutable_iota_transform()->add_transpose_perm(0);
  EXPECT_EQ(ErrorOf(proto), "none");

  MeshProto maximal;
  maximal.add_device_ids(-2);
  EXPECT_THAT(ErrorOf(maximal), HasSubstr("one device"));
  maximal.set_device_ids(0, 2);
  EXPECT_EQ(ErrorOf(maximal), "none");
  maximal.add_device_ids(3);
  EXPECT_THAT(ErrorOf(maximal), HasSubstr("one device"));
}

TEST(MeshDeathTest, ConstructorsRefuseWhatIsNoMesh) {
  EXPECT_DEATH(Mesh({2, 2, 2}, {"a", "b"}), "names for 2 axes");
  EXPECT_DEATH(Mesh({2, 2}, {"a", "a"}), "two axes 'a'");
  EXPECT_DEATH(Mesh(Array<int64_t>({{0, 2}}), {"a", "b"}), "each of 0 to 1");
  EXPECT_DEATH(Mesh(Array<int64_t>({{1, 1}}), {"a", "b"}), "device 1");
  EXPECT_DEATH(Mesh(TileAssignment(3), {}), "must have an axis");
  EXPECT_DEATH(AxisRef(0, {0, 2}), "no part of an axis");
  EXPECT_DEATH(AxisRef(0, {2, 1}), "no part of an axis");
}

TEST(AxisRefTest, Accessors) {
  const Mesh mesh({2, 8}, {"a", "b"});
  const AxisRef whole(1), part(1, {2, 4});
  EXPECT_EQ(whole.mesh_axis_index(), 1);
  EXPECT_FALSE(whole.sub_axis_info().has_value());
  EXPECT_EQ(whole.size(mesh), 8);
  EXPECT_EQ(part.sub_axis_info()->pre_size, 2);
  EXPECT_EQ(part.sub_axis_info()->size, 4);
  EXPECT_EQ(part.sub_axis_info()->next_pre_size(), 8);
  EXPECT_EQ(part.size(mesh), 4);
  EXPECT_EQ(whole.ToString(), "1");
  EXPECT_EQ(part.ToString(), "1:(2)4");
  EXPECT_EQ(whole.ToString(&mesh), "'b'");
  EXPECT_EQ(part.ToString(&mesh), "'b':(2)4");
  std::ostringstream out;
  out << part;
  EXPECT_EQ(out.str(), "1:(2)4");
  for (const AxisRef& axis : {whole, part}) {
    EXPECT_EQ(AxisRef::FromProto(axis.ToProto()), axis);
    EXPECT_EQ(absl::HashOf(AxisRef::FromProto(axis.ToProto())),
              absl::HashOf(axis));
  }
  EXPECT_NE(whole, part);
  EXPECT_NE(whole, AxisRef(0));
  EXPECT_NE(part, AxisRef(1, {2, 2}));
  EXPECT_NE(part, AxisRef(1, {1, 4}));

  AxisRefProto proto = part.ToProto();
  proto.mutable_sub_axis_info()->set_size(1);
  EXPECT_THAT(AxisRef::ReadProto(proto).status().message(),
              HasSubstr("(2)1 is no part of an axis"));
}

TEST(AxisRefTest, WhatCanCoexist) {
  const struct {
    AxisRef a, b;
    bool can;
  } rows[] = {
      {AxisRef(0), AxisRef(1), true},
      {AxisRef(0), AxisRef(0), false},
      {AxisRef(0), AxisRef(0, {1, 2}), false},
      {AxisRef(0, {1, 2}), AxisRef(0, {2, 4}), true},
      {AxisRef(0, {1, 2}), AxisRef(0, {4, 2}), true},
      {AxisRef(0, {1, 4}), AxisRef(0, {2, 2}), false},
      {AxisRef(0, {1, 4}), AxisRef(0, {2, 4}), false},
      {AxisRef(0, {1, 2}), AxisRef(0, {1, 4}), false},
      // Nothing joins sizes 2 and 3.
      {AxisRef(0, {1, 2}), AxisRef(0, {3, 2}), false},
      {AxisRef(0, {1, 2}), AxisRef(1, {1, 2}), true},
      {AxisRef(0, {int64_t{1} << 40, int64_t{1} << 40}), AxisRef(0, {1, 2}),
       true},
      {AxisRef(0, {1 << 20, int64_t{1} << 50}),
       AxisRef(0, {int64_t{1} << 60, 2}), false},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(row.a.CanCoexistWithoutOverlap(row.b), row.can)
        << row.a << " " << row.b;
    EXPECT_EQ(row.b.CanCoexistWithoutOverlap(row.a), row.can);
    EXPECT_EQ(AxesCanCoexistWithoutOverlap({row.a, row.b}), row.can);
    EXPECT_EQ(AxesCanCoexistWithoutOverlap({row.b, AxisRef(7), row.a}),
              row.can);
  }
  EXPECT_TRUE(AxesCanCoexistWithoutOverlap({}));
  // The first and the last overlap.
  EXPECT_FALSE(AxesCanCoexistWithoutOverlap(
      {AxisRef(0, {1, 4}), AxisRef(0, {4, 2}), AxisRef(0, {2, 2})}));
}

TEST(AxisRefTest, WhatCanMerge) {
  const Mesh mesh({8, 8}, {"a", "b"});
  AxisRef axis(0, {1, 2});
  EXPECT_FALSE(axis.CanMerge(AxisRef(0, {4, 2})));
  EXPECT_FALSE(axis.CanMerge(AxisRef(1, {2, 2})));
  EXPECT_FALSE(axis.CanMerge(AxisRef(0)));
  EXPECT_FALSE(AxisRef(0).CanMerge(axis));
  EXPECT_FALSE(AxisRef(0, {2, 2}).CanMerge(axis));
  EXPECT_TRUE(axis.CanMerge(AxisRef(0, {2, 2})));

  EXPECT_FALSE(axis.Merge(AxisRef(0, {4, 2}), mesh));
  EXPECT_EQ(axis, AxisRef(0, {1, 2}));
  EXPECT_TRUE(axis.Merge(AxisRef(0, {2, 2}), mesh));
  EXPECT_EQ(axis, AxisRef(0, {1, 4}));
  EXPECT_TRUE(axis.Merge(AxisRef(0, {4, 2}), mesh));
  EXPECT_EQ(axis, AxisRef(0));
}

TEST(AxisRefTest, AxesOfAMesh) {
  const Mesh mesh({2, 12}, {"a", "b"});
  const auto error = [&](const AxisRef& axis) {
    return std::string(axis.Validate(mesh).message());
  };
  EXPECT_EQ(error(AxisRef(1)), "");
  EXPECT_EQ(error(AxisRef(1, {2, 3})), "");
  EXPECT_THAT(error(AxisRef(2)), HasSubstr("no axis 2 in a mesh of 2"));
  EXPECT_THAT(error(AxisRef(-1)), HasSubstr("no axis -1"));
  EXPECT_THAT(error(AxisRef(1, {2, 4})), HasSubstr("'b':(2)4 is no part"));
  EXPECT_THAT(error(AxisRef(1, {int64_t{1} << 40, int64_t{1} << 40})),
              HasSubstr("is no part"));
  EXPECT_THAT(error(AxisRef(1, {1, 12})), HasSubstr("is a whole axis"));

  const AxisRef first(1, {1, 2}), second(1, {2, 3}), third(1, {6, 2});
  EXPECT_TRUE(ValidateSpanOfAxes({}, mesh).ok());
  EXPECT_TRUE(ValidateSpanOfAxes({AxisRef(0), second, first}, mesh).ok());
  EXPECT_TRUE(ValidateSpanOfAxes({first, third}, mesh).ok());
  EXPECT_THAT(ValidateSpanOfAxes({first, second}, mesh).message(),
              HasSubstr("'b':(1)2 and 'b':(2)3 are one part"));
  EXPECT_TRUE(ValidateSpanOfAxes({first, second}, mesh, true).ok());
  EXPECT_THAT(ValidateSpanOfAxes({first, AxisRef(1)}, mesh).message(),
              HasSubstr("overlap"));
  EXPECT_THAT(ValidateSpanOfAxes({first, AxisRef(5)}, mesh).message(),
              HasSubstr("no axis 5"));
}

}  // namespace
}  // namespace xla
