// The three forms of replica groups. Texts and groups are those of XLA.
#include "xla/hlo/sharding/replica_group.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/hash/hash.h"
#include "gmock/gmock.h"
#include "xla/base/text/printer.h"

namespace xla {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Groups = std::vector<std::vector<int64_t>>;

Mesh MeshXY() { return Mesh({2, 4}, {"x", "y"}); }

std::vector<ReplicaGroup> Protos(const Groups& groups) {
  return CollectiveDeviceList(groups).replica_groups();
}

TEST(CollectiveDeviceListTest, ListsOfGroups) {
  const Groups groups = {{0, 2}, {1, 3}};
  const CollectiveDeviceList list(groups);
  EXPECT_EQ(list.version(), CollectiveDeviceListVersion::kListOfLists);
  EXPECT_EQ(list.num_replica_groups(), 2);
  EXPECT_EQ(list.num_devices_per_group(), 2);
  EXPECT_EQ(list.num_total_devices(), 4);
  EXPECT_EQ(list.flattened_replica_groups(), groups);
  EXPECT_EQ(list.replica_groups().size(), 2);
  EXPECT_THAT(list.replica_groups()[1].replica_ids(), ElementsAre(1, 3));
  EXPECT_EQ(list.ToString(), "{{0,2},{1,3}}");
  EXPECT_EQ(list.ToString(true), "{{0,2},{1,3}}");
  StringPrinter printer;
  list.Print(&printer);
  list.Print(&printer, true);
  EXPECT_EQ(std::move(printer).ToString(), "{{0,2},{1,3}}{{0,2},{1,3}}");
  EXPECT_FALSE(list.iota_replica_group_list().has_value());
  EXPECT_FALSE(list.MaybeConvertToIotaReplicaGroupList().has_value());

  EXPECT_EQ(CollectiveDeviceList(Protos(groups)), list);
  EXPECT_EQ(CollectiveDeviceList(absl::MakeConstSpan(Protos(groups))), list);
  EXPECT_EQ(CollectiveDeviceList::FromProto(list.ToProto()), list);
  EXPECT_EQ(absl::HashOf(CollectiveDeviceList(Protos(groups))),
            absl::HashOf(list));
  EXPECT_FALSE(CollectiveDeviceList(Groups{{0, 2}}) == list);
  EXPECT_EQ(ReplicaGroupsToString(Protos(groups)), "{{0,2},{1,3}}");

  const CollectiveDeviceList uneven(Groups{{0}, {}, {1, 2}});
  EXPECT_EQ(uneven.ToString(), "{{0},{},{1,2}}");
}

TEST(CollectiveDeviceListTest, NoGroups) {
  const CollectiveDeviceList none;
  EXPECT_EQ(none.num_replica_groups(), 0);
  EXPECT_EQ(none.num_devices_per_group(), 0);
  EXPECT_EQ(none.num_total_devices(), 0);
  EXPECT_THAT(none.replica_groups(), IsEmpty());
  EXPECT_EQ(none.ToString(), "{}");
  EXPECT_EQ(CollectiveDeviceList::FromProto(CollectiveDeviceListProto()), none);
}

TEST(CollectiveDeviceListTest, ListsOfAnIota) {
  const IotaReplicaGroupList iota(2, 2, {2, 2}, {1, 0});
  const CollectiveDeviceList list(iota);
  EXPECT_EQ(list.version(), CollectiveDeviceListVersion::kIota);
  EXPECT_EQ(list.iota_replica_group_list(), iota);
  EXPECT_EQ(list.MaybeConvertToIotaReplicaGroupList(), iota);
  EXPECT_EQ(list.ToString(), "[2,2]<=[2,2]T(1,0)");
  EXPECT_EQ(list.ToString(true), "{{0,2},{1,3}}");
  EXPECT_EQ(list.num_replica_groups(), 2);
  EXPECT_EQ(list.num_devices_per_group(), 2);
  EXPECT_EQ(list, CollectiveDeviceList(Groups{{0, 2}, {1, 3}}));
  EXPECT_EQ(ConvertToV1CollectiveDeviceList(list).ToString(),
            "[2,2]<=[2,2]T(1,0)");
}

TEST(IotaReplicaGroupListTest, IotasTakeTheirLeastForm) {
  const struct {
    IotaReplicaGroupList list;
    const char* text;
    Groups groups;
  } rows[] = {
      {IotaReplicaGroupList(2, 2), "[2,2]<=[4]", {{0, 1}, {2, 3}}},
      {IotaReplicaGroupList(1, 1), "[1,1]<=[1]", {{0}}},
      {IotaReplicaGroupList(2, 4, {2, 2, 2}, {0, 1, 2}),
       "[2,4]<=[8]",
       {{0, 1, 2, 3}, {4, 5, 6, 7}}},
      {IotaReplicaGroupList(2, 4, {4, 2}, {1, 0}),
       "[2,4]<=[4,2]T(1,0)",
       {{0, 2, 4, 6}, {1, 3, 5, 7}}},
      {IotaReplicaGroupList(4, 2, {2, 2, 2}, {2, 0, 1}),
       "[4,2]<=[4,2]T(1,0)",
       {{0, 2}, {4, 6}, {1, 3}, {5, 7}}},
      {IotaReplicaGroupList(3, 2, IotaTileAssignment::Create({6})),
       "[3,2]<=[6]",
       {{0, 1}, {2, 3}, {4, 5}}},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(row.list.ToString(), row.text);
    EXPECT_EQ(row.list.flattened_replica_groups(), row.groups);
    EXPECT_EQ(row.list.ToString(true),
              CollectiveDeviceList(row.groups).ToString());
    EXPECT_EQ(IotaReplicaGroupList::FromProto(row.list.ToProto()), row.list);
    EXPECT_EQ(ConvertToV1CollectiveDeviceList(row.list).ToString(),
              CollectiveDeviceList(row.groups).ToString());
    EXPECT_EQ(row.list.MaybeConvertToIotaReplicaGroupList(), row.list);
  }
  const IotaReplicaGroupList& list = rows[3].list;
  EXPECT_EQ(list.version(), CollectiveDeviceListVersion::kIota);
  EXPECT_EQ(list.num_replica_groups(), 2);
  EXPECT_EQ(list.num_devices_per_group(), 4);
  EXPECT_EQ(list.num_total_devices(), 8);
  EXPECT_THAT(list.reshape_dims(), ElementsAre(4, 2));
  EXPECT_THAT(list.transpose_perm(), ElementsAre(1, 0));
  EXPECT_EQ(list.ToArray()(1, 2), 5);
  EXPECT_THAT(list.replica_groups()[1].replica_ids(), ElementsAre(1, 3, 5, 7));
  EXPECT_EQ(absl::HashOf(IotaReplicaGroupList(2, 4, {2, 2, 2}, {0, 1, 2})),
            absl::HashOf(IotaReplicaGroupList(2, 4)));
  EXPECT_FALSE(IotaReplicaGroupList(2, 4) == IotaReplicaGroupList(4, 2));
}

TEST(IotaReplicaGroupListTest, HostileProtosAreErrors) {
  const IotaReplicaGroupListProto good =
      IotaReplicaGroupList(2, 4, {4, 2}, {1, 0}).ToProto();
  const auto error = [](const IotaReplicaGroupListProto& proto) {
    return std::string(
        IotaReplicaGroupList::ReadProto(proto).status().message());
  };
  EXPECT_EQ(error(good), "");
  IotaReplicaGroupListProto proto = good;
  proto.set_num_replica_groups(3);
  EXPECT_THAT(error(proto), HasSubstr("[groups,devices]"));
  proto.set_num_replica_groups(-2);
  proto.set_num_devices_per_group(-4);
  EXPECT_THAT(error(proto), HasSubstr("[groups,devices]"));
  proto = good;
  proto.set_iota_transpose_perm(0, 0);
  EXPECT_THAT(error(proto), HasSubstr("no transposed iota"));
  proto.set_iota_transpose_perm(0, 7);
  EXPECT_THAT(error(proto), HasSubstr("no transposed iota"));
  proto = good;
  proto.set_iota_reshape_dims(0, int64_t{1} << 62);
  EXPECT_THAT(error(proto), HasSubstr("no transposed iota"));
  proto.set_iota_reshape_dims(0, -4);
  EXPECT_THAT(error(proto), HasSubstr("no transposed iota"));
  // Without a permutation the devices are in order.
  proto = good;
  proto.clear_iota_transpose_perm();
  EXPECT_EQ(IotaReplicaGroupList::FromProto(proto), IotaReplicaGroupList(2, 4));
}

TEST(MeshAxesReplicaGroupListTest, GroupsLieAlongAxes) {
  const AxisRef x(0), y(1), y_major(1, {1, 2}), y_minor(1, {2, 2});
  const struct {
    std::vector<AxisRef> axes;
    const char* text;
    Groups groups;
    const char* iota;
  } rows[] = {
      {{x}, "{'x'}", {{0, 4}, {1, 5}, {2, 6}, {3, 7}}, "[4,2]<=[2,4]T(1,0)"},
      {{y}, "{'y'}", {{0, 1, 2, 3}, {4, 5, 6, 7}}, "[2,4]<=[8]"},
      {{x, y}, "{'x','y'}", {{0, 1, 2, 3, 4, 5, 6, 7}}, "[1,8]<=[8]"},
      {{y, x}, "{'y','x'}", {{0, 4, 1, 5, 2, 6, 3, 7}}, "[1,8]<=[2,4]T(1,0)"},
      {{y_major},
       "{'y':(1)2}",
       {{0, 2}, {1, 3}, {4, 6}, {5, 7}},
       "[4,2]<=[2,2,2]T(0,2,1)"},
      {{y_minor}, "{'y':(2)2}", {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, "[4,2]<=[8]"},
      {{y_minor, y_major},
       "{'y':(2)2,'y':(1)2}",
       {{0, 2, 1, 3}, {4, 6, 5, 7}},
       "[2,4]<=[2,2,2]T(0,2,1)"},
      {{y_major, x},
       "{'y':(1)2,'x'}",
       {{0, 4, 2, 6}, {1, 5, 3, 7}},
       "[2,4]<=[2,2,2]T(2,1,0)"},
      {{}, "{}", {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, "[8,1]<=[8]"},
  };
  for (const auto& row : rows) {
    const MeshAxesReplicaGroupList list(MeshXY(), row.axes);
    EXPECT_EQ(list.version(), CollectiveDeviceListVersion::kMeshAxes);
    EXPECT_EQ(list.ToString(), "mesh['x'=2,'y'=4] " + std::string(row.text));
    EXPECT_EQ(list.flattened_replica_groups(), row.groups) << row.text;
    EXPECT_EQ(list.num_replica_groups(), row.groups.size());
    EXPECT_EQ(list.num_devices_per_group(), row.groups[0].size());
    EXPECT_EQ(list.num_total_devices(), 8);
    EXPECT_EQ(list.ToIotaReplicaGroupList().ToString(), row.iota);
    EXPECT_EQ(list.ToIotaReplicaGroupList().flattened_replica_groups(),
              row.groups);
    EXPECT_EQ(list.ToCollectiveDeviceList(), CollectiveDeviceList(row.groups));
    EXPECT_EQ(ConvertToV1CollectiveDeviceList(list).ToString(),
              list.ToString(true));
    EXPECT_EQ(MeshAxesReplicaGroupList::FromProto(list.ToProto()), list);
    EXPECT_EQ(absl::HashOf(MeshAxesReplicaGroupList(MeshXY(), row.axes)),
              absl::HashOf(list));
  }
  const MeshAxesReplicaGroupList list(MeshXY(), {x});
  EXPECT_EQ(list.mesh(), MeshXY());
  EXPECT_THAT(list.axes(), ElementsAre(x));
  EXPECT_FALSE(list == MeshAxesReplicaGroupList(MeshXY(), {y}));
  EXPECT_FALSE(list == MeshAxesReplicaGroupList(Mesh({2, 4}, {"x", "z"}), {x}));
}

TEST(MeshAxesReplicaGroupListTest, MeshesInAnotherOrder) {
  const Mesh transposed(TileAssignment({2, 4}, {4, 2}, {1, 0}), {"x", "y"});
  const MeshAxesReplicaGroupList iota(transposed, {AxisRef(1)});
  EXPECT_EQ(iota.ToString(),
            "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)) {'y'}");
  EXPECT_EQ(iota.flattened_replica_groups(),
            Groups({{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(iota.ToIotaReplicaGroupList().ToString(), "[2,4]<=[4,2]T(1,0)");

  const Mesh listed(Array<int64_t>({{7, 5}, {6, 0}, {1, 2}, {3, 4}}),
                    {"x", "y"});
  const MeshAxesReplicaGroupList list(listed, {AxisRef(0, {1, 2})});
  EXPECT_EQ(list.flattened_replica_groups(),
            Groups({{7, 1}, {5, 2}, {6, 3}, {0, 4}}));
  EXPECT_FALSE(list.MaybeConvertToIotaReplicaGroupList().has_value());

  // Axes of size 1, and parts with a rest before, between and behind them.
  const Mesh large({1, 60}, {"one", "many"});
  EXPECT_EQ(
      MeshAxesReplicaGroupList(large, {AxisRef(0)}).num_devices_per_group(), 1);
  const MeshAxesReplicaGroupList parts(
      large, {AxisRef(1, {2, 2}), AxisRef(1, {12, 5})});
  EXPECT_EQ(parts.num_devices_per_group(), 10);
  EXPECT_THAT(parts.flattened_replica_groups()[1],
              ElementsAre(5, 6, 7, 8, 9, 20, 21, 22, 23, 24));
  EXPECT_THAT(parts.flattened_replica_groups()[3],
              ElementsAre(30, 31, 32, 33, 34, 45, 46, 47, 48, 49));
}

TEST(MeshAxesReplicaGroupListTest, HostileProtosAreErrors) {
  const MeshAxesReplicaGroupListProto good =
      MeshAxesReplicaGroupList(MeshXY(), {AxisRef(1, {1, 2})}).ToProto();
  const auto error = [](const MeshAxesReplicaGroupListProto& proto) {
    return std::string(
        MeshAxesReplicaGroupList::ReadProto(proto).status().message());
  };
  EXPECT_EQ(error(good), "");
  MeshAxesReplicaGroupListProto proto = good;
  proto.mutable_mesh()->mutable_axes(0)->set_size(-1);
  EXPECT_THAT(error(proto), HasSubstr("positive sizes"));
  proto = good;
  proto.mutable_axes(0)->set_mesh_axis_index(2);
  EXPECT_THAT(error(proto), HasSubstr("no axis 2"));
  proto = good;
  proto.mutable_axes(0)->mutable_sub_axis_info()->set_size(0);
  EXPECT_THAT(error(proto), HasSubstr("no part"));
  proto = good;
  *proto.add_axes() = proto.axes(0);
  EXPECT_THAT(error(proto), HasSubstr("overlap"));
}

TEST(CollectiveDeviceListBaseTest, FormsAreComparedBeforeGroups) {
  std::vector<std::unique_ptr<CollectiveDeviceListBase>> lists;
  lists.push_back(CollectiveDeviceList(Groups{{0, 1}, {2, 3}}).Clone());
  lists.push_back(IotaReplicaGroupList(2, 2).Clone());
  lists.push_back(
      MeshAxesReplicaGroupList(Mesh({2, 2}, {"a", "b"}), {AxisRef(1)}).Clone());
  for (size_t i = 0; i < lists.size(); ++i) {
    EXPECT_EQ(lists[i]->version(), static_cast<CollectiveDeviceListVersion>(i));
    EXPECT_EQ(lists[i]->ToString(true), "{{0,1},{2,3}}");
    for (size_t j = 0; j < lists.size(); ++j) {
      EXPECT_EQ(*lists[i] == *lists[j], i == j);
    }
    // Copies share the groups.
    const std::unique_ptr<CollectiveDeviceListBase> copy = lists[i]->Clone();
    EXPECT_TRUE(*copy == *lists[i]);
    EXPECT_EQ(&copy->replica_groups(), &lists[i]->replica_groups());
  }
}

TEST(CollectiveDeviceListBaseTest, InstructionsHaveOneForm) {
  HloInstructionProto proto;
  const auto text = [&] {
    const auto list = CollectiveDeviceListBase::ReadProto(proto);
    return list.ok() ? (*list)->ToString()
                     : std::string(list.status().message());
  };
  EXPECT_EQ(text(), "{}");
  *proto.mutable_collective_device_list() =
      CollectiveDeviceList(Groups{{0, 1}}).ToProto();
  EXPECT_EQ(text(), "{{0,1}}");
  *proto.mutable_iota_collective_device_list() =
      IotaReplicaGroupList(2, 2).ToProto();
  EXPECT_EQ(text(), "[2,2]<=[4]");
  EXPECT_EQ(CollectiveDeviceList::FromProto(proto).ToString(), "{{0,1},{2,3}}");
  EXPECT_EQ(CollectiveDeviceListBase::DeviceListFromProto(proto)->version(),
            CollectiveDeviceListVersion::kIota);
  proto.mutable_iota_collective_device_list()->set_num_replica_groups(7);
  EXPECT_THAT(text(), HasSubstr("[groups,devices]"));
  *proto.mutable_mesh_axes_replica_group_list() =
      MeshAxesReplicaGroupList(MeshXY(), {AxisRef(0)}).ToProto();
  EXPECT_EQ(text(), "mesh['x'=2,'y'=4] {'x'}");
}

TEST(ReplicaGroupDeathTest, ConstructorsRefuseWhatAreNoGroups) {
  EXPECT_DEATH(IotaReplicaGroupList(2, 3, {4, 2}, {1, 0}), "");
  EXPECT_DEATH(IotaReplicaGroupList(2, 4, {4, 2}, {1, 1}), "");
  EXPECT_DEATH(MeshAxesReplicaGroupList(MeshXY(), {AxisRef(2)}), "no axis 2");
  EXPECT_DEATH(
      MeshAxesReplicaGroupList(
          Mesh(Array<int64_t>({{0, 3}, {1, 2}}), {"a", "b"}), {AxisRef(0)})
          .ToIotaReplicaGroupList(),
      "mesh");
}

}  // namespace
}  // namespace xla
