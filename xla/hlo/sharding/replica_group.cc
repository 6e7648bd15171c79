// Expands, prints and converts the groups of collectives.
#include "xla/hlo/sharding/replica_group.h"

#include <algorithm>
#include <numeric>
#include <typeinfo>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_text.h"

namespace xla {
namespace {

using GroupVector = std::vector<std::vector<int64_t>>;

std::string GroupsText(const GroupVector& groups) {
  const auto add_group = [](std::string* out, const auto& group) {
    absl::StrAppend(out, "{", absl::StrJoin(group, ","), "}");
  };
  return absl::StrCat("{", absl::StrJoin(groups, ",", add_group), "}");
}

GroupVector RowsOf(const Array<int64_t>& devices, int64_t row_size) {
  GroupVector rows;
  if (devices.num_elements() == 0) return rows;
  rows.reserve(devices.num_elements() / row_size);
  for (const int64_t* row = devices.begin(); row != devices.end();
       row += row_size) {
    rows.emplace_back(row, row + row_size);
  }
  return rows;
}

GroupVector ReadGroups(
    const google::protobuf::RepeatedPtrField<ReplicaGroup>& protos) {
  GroupVector groups;
  groups.reserve(protos.size());
  for (const ReplicaGroup& proto : protos) {
    groups.emplace_back(proto.replica_ids().begin(), proto.replica_ids().end());
  }
  return groups;
}

const auto& ListedGroups(const HloInstructionProto& proto) {
  return proto.has_collective_device_list()
             ? proto.collective_device_list().replica_groups()
             : proto.replica_groups();
}

// Where the parts of one axis that groups lie along begin and end, in order.
std::vector<int64_t> CutsOf(int64_t axis, int64_t size,
                            absl::Span<const AxisRef> parts) {
  std::vector<int64_t> cuts = {1, size};
  for (const AxisRef& part : parts) {
    if (part.mesh_axis_index() != axis || !part.sub_axis_info()) continue;
    cuts.push_back(part.sub_axis_info()->pre_size);
    cuts.push_back(part.sub_axis_info()->next_pre_size());
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

}  // namespace

const std::vector<ReplicaGroup>& CollectiveDeviceListBase::replica_groups()
    const {
  absl::call_once(protos_->once, [&] {
    for (const std::vector<int64_t>& group : flattened_replica_groups()) {
      protos_->groups.emplace_back().mutable_replica_ids()->Add(group.begin(),
                                                                group.end());
    }
  });
  return protos_->groups;
}

std::string CollectiveDeviceListBase::ToString(
    bool print_full_replica_group_list) const {
  return print_full_replica_group_list ? GroupsText(flattened_replica_groups())
                                       : ToString();
}

std::optional<IotaReplicaGroupList>
CollectiveDeviceListBase::MaybeConvertToIotaReplicaGroupList() const {
  if (const auto* iota = dynamic_cast<const IotaReplicaGroupList*>(this)) {
    return *iota;
  }
  if (const auto* list = dynamic_cast<const CollectiveDeviceList*>(this)) {
    return list->iota_replica_group_list();
  }
  const auto* axes = dynamic_cast<const MeshAxesReplicaGroupList*>(this);
  if (axes == nullptr) return std::nullopt;
  const TileAssignment devices = axes->GroupedDevices();
  if (!devices.iota().has_value()) return std::nullopt;
  return IotaReplicaGroupList(num_replica_groups(), num_devices_per_group(),
                              *devices.iota());
}

absl::StatusOr<std::unique_ptr<CollectiveDeviceListBase>>
CollectiveDeviceListBase::ReadProto(const HloInstructionProto& proto) {
  if (proto.has_iota_collective_device_list()) {
    TF_ASSIGN_OR_RETURN(
        const IotaReplicaGroupList iota,
        IotaReplicaGroupList::ReadProto(proto.iota_collective_device_list()));
    return iota.Clone();
  }
  if (proto.has_mesh_axes_replica_group_list()) {
    TF_ASSIGN_OR_RETURN(const MeshAxesReplicaGroupList axes,
                        MeshAxesReplicaGroupList::ReadProto(
                            proto.mesh_axes_replica_group_list()));
    return axes.Clone();
  }
  return CollectiveDeviceList(ReadGroups(ListedGroups(proto))).Clone();
}

std::unique_ptr<CollectiveDeviceListBase>
CollectiveDeviceListBase::DeviceListFromProto(
    const HloInstructionProto& proto) {
  return ReadProto(proto).value();
}

bool operator==(const CollectiveDeviceListBase& a,
                const CollectiveDeviceListBase& b) {
  return typeid(a) == typeid(b) && a.isEqual(b);
}

MeshAxesReplicaGroupList::MeshAxesReplicaGroupList(Mesh mesh,
                                                   std::vector<AxisRef> axes)
    : mesh_(std::move(mesh)), axes_(std::move(axes)) {
  CHECK_OK(ValidateSpanOfAxes(axes_, mesh_));
}

int64_t MeshAxesReplicaGroupList::num_replica_groups() const {
  return mesh_.device_assignment().num_elements() / num_devices_per_group();
}

int64_t MeshAxesReplicaGroupList::num_devices_per_group() const {
  int64_t count = 1;
  for (const AxisRef& axis : axes_) count *= axis.size(mesh_);
  return count;
}

TileAssignment MeshAxesReplicaGroupList::GroupedDevices() const {
  if (axes_.empty()) return mesh_.device_assignment();
  std::vector<int64_t> sizes;
  std::vector<int> perm, group_dims(axes_.size());
  for (int64_t axis = 0; axis < mesh_.num_axes(); ++axis) {
    std::vector<int64_t> cuts = CutsOf(axis, mesh_.axis_size(axis), axes_);
    if (cuts.size() == 1) cuts.push_back(1);  // an axis of size 1
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const int dim = static_cast<int>(sizes.size());
      sizes.push_back(cuts[i + 1] / cuts[i]);
      bool is_grouped = false;
      for (size_t a = 0; a < axes_.size(); ++a) {
        const auto part = axes_[a].sub_axis_info();
        if (axes_[a].mesh_axis_index() != axis ||
            (part ? part->pre_size : 1) != cuts[i]) {
          continue;
        }
        group_dims[a] = dim;
        is_grouped = true;
      }
      if (!is_grouped) perm.push_back(dim);
    }
  }
  perm.insert(perm.end(), group_dims.begin(), group_dims.end());
  return mesh_.device_assignment().Reshape(sizes).Transpose(perm);
}

GroupVector MeshAxesReplicaGroupList::flattened_replica_groups() const {
  return RowsOf(GroupedDevices().array(), num_devices_per_group());
}

std::string MeshAxesReplicaGroupList::ToString() const {
  const MeshAxesReplicaGroupListProto proto = ToProto();
  std::string text;
  PrintMesh(proto.mesh(), &text);
  text.append(" {");
  for (int i = 0; i < proto.axes_size(); ++i) {
    if (i > 0) text.push_back(',');
    PrintMeshAxis(proto.mesh(), proto.axes(i), &text);
  }
  text.push_back('}');
  return text;
}

IotaReplicaGroupList MeshAxesReplicaGroupList::ToIotaReplicaGroupList() const {
  std::optional<IotaReplicaGroupList> iota =
      MaybeConvertToIotaReplicaGroupList();
  CHECK(iota.has_value()) << ToString();
  return *std::move(iota);
}

CollectiveDeviceList MeshAxesReplicaGroupList::ToCollectiveDeviceList() const {
  return CollectiveDeviceList(flattened_replica_groups());
}

MeshAxesReplicaGroupListProto MeshAxesReplicaGroupList::ToProto() const {
  MeshAxesReplicaGroupListProto proto;
  *proto.mutable_mesh() = mesh_.ToProto();
  for (const AxisRef& axis : axes_) *proto.add_axes() = axis.ToProto();
  return proto;
}

absl::StatusOr<MeshAxesReplicaGroupList> MeshAxesReplicaGroupList::ReadProto(
    const MeshAxesReplicaGroupListProto& proto) {
  const auto annotate = [](const absl::Status& error) {
    return InvalidArgument("replica groups by mesh axes: %s", error.message());
  };
  const absl::StatusOr<Mesh> mesh = Mesh::ReadProto(proto.mesh());
  if (!mesh.ok()) return annotate(mesh.status());
  std::vector<AxisRef> axes;
  for (const AxisRefProto& axis : proto.axes()) {
    const absl::StatusOr<AxisRef> read = AxisRef::ReadProto(axis);
    if (!read.ok()) return annotate(read.status());
    axes.push_back(*read);
  }
  const absl::Status status = ValidateSpanOfAxes(axes, *mesh);
  if (!status.ok()) return annotate(status);
  return MeshAxesReplicaGroupList(*mesh, std::move(axes));
}

MeshAxesReplicaGroupList MeshAxesReplicaGroupList::FromProto(
    const MeshAxesReplicaGroupListProto& proto) {
  return ReadProto(proto).value();
}

bool MeshAxesReplicaGroupList::isEqual(
    const CollectiveDeviceListBase& other) const {
  const auto& list = static_cast<const MeshAxesReplicaGroupList&>(other);
  return mesh_ == list.mesh_ && axes_ == list.axes_;
}

GroupVector IotaReplicaGroupList::flattened_replica_groups() const {
  return RowsOf(ToArray(), num_devices_per_group());
}

IotaReplicaGroupListProto IotaReplicaGroupList::ToProto() const {
  IotaReplicaGroupListProto proto;
  proto.set_num_replica_groups(num_replica_groups());
  proto.set_num_devices_per_group(num_devices_per_group());
  proto.mutable_iota_reshape_dims()->Add(reshape_dims().begin(),
                                         reshape_dims().end());
  proto.mutable_iota_transpose_perm()->Add(transpose_perm().begin(),
                                           transpose_perm().end());
  return proto;
}

absl::StatusOr<IotaReplicaGroupList> IotaReplicaGroupList::ReadProto(
    const IotaReplicaGroupListProto& proto) {
  const int64_t groups = proto.num_replica_groups();
  const int64_t devices = proto.num_devices_per_group();
  IotaTransform iota = {
      {proto.iota_reshape_dims().begin(), proto.iota_reshape_dims().end()},
      {proto.iota_transpose_perm().begin(), proto.iota_transpose_perm().end()}};
  if (iota.perm.empty()) {
    iota.perm.resize(iota.dims.size());
    std::iota(iota.perm.begin(), iota.perm.end(), 0);
  }
  const absl::StatusOr<std::vector<int64_t>> numbers = ExpandIota(iota);
  if (!numbers.ok()) {
    return InvalidArgument("replica groups: %s", numbers.status().message());
  }
  if (groups < 1 || devices < 1 ||
      CheckedMultiply(groups, devices) !=
          static_cast<int64_t>(numbers->size())) {
    return InvalidArgument(
        "replica groups: expected [groups,devices] of as many devices as the "
        "iota");
  }
  return IotaReplicaGroupList(
      groups, devices, iota.dims,
      std::vector<int>(iota.perm.begin(), iota.perm.end()));
}

IotaReplicaGroupList IotaReplicaGroupList::FromProto(
    const IotaReplicaGroupListProto& proto) {
  return ReadProto(proto).value();
}

CollectiveDeviceList::CollectiveDeviceList(
    absl::Span<const ReplicaGroup> replica_groups) {
  for (const ReplicaGroup& group : replica_groups) {
    groups_.emplace_back(group.replica_ids().begin(),
                         group.replica_ids().end());
  }
}

std::string CollectiveDeviceList::ToString() const {
  return iota_ ? iota_->ToString() : GroupsText(groups_);
}

CollectiveDeviceListProto CollectiveDeviceList::ToProto() const {
  CollectiveDeviceListProto proto;
  for (const std::vector<int64_t>& group : groups_) {
    proto.add_replica_groups()->mutable_replica_ids()->Add(group.begin(),
                                                           group.end());
  }
  return proto;
}

CollectiveDeviceList CollectiveDeviceList::FromProto(
    const CollectiveDeviceListProto& proto) {
  return CollectiveDeviceList(ReadGroups(proto.replica_groups()));
}

CollectiveDeviceList CollectiveDeviceList::FromProto(
    const HloInstructionProto& proto) {
  return CollectiveDeviceList(
      DeviceListFromProto(proto)->flattened_replica_groups());
}

std::string ReplicaGroupsToString(
    absl::Span<const ReplicaGroup> replica_groups) {
  return CollectiveDeviceList(replica_groups).ToString();
}

CollectiveDeviceList ConvertToV1CollectiveDeviceList(
    const CollectiveDeviceListBase& device_list) {
  if (const auto* list =
          dynamic_cast<const CollectiveDeviceList*>(&device_list)) {
    return *list;
  }
  return CollectiveDeviceList(device_list.flattened_replica_groups());
}

}  // namespace xla
