// Checks, prints and converts meshes and axes.
#include "xla/hlo/sharding/mesh_and_axis.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/errors.h"
#include "xla/base/logging.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/hlo/sharding/mesh_text.h"

namespace xla {
namespace {

bool HasDevicesInOrder(const Array<int64_t>& devices) {
  int64_t next = 0;
  return absl::c_all_of(devices, [&](int64_t d) { return d == next++; });
}

// Errors: InvalidArgument unless the list has each of 0 to n-1 once.
absl::Status CheckDevices(const Array<int64_t>& devices) {
  std::vector<bool> seen(devices.num_elements());
  for (const int64_t device : devices) {
    if (device < 0 || device >= devices.num_elements() || seen[device]) {
      return InvalidArgument(
          "a mesh of %d devices does not have each of 0 to %d once: device %d",
          devices.num_elements(), devices.num_elements() - 1, device);
    }
    seen[device] = true;
  }
  return absl::OkStatus();
}

absl::Status CheckMesh(const TileAssignment& devices,
                       absl::Span<const absl::string_view> names) {
  if (names.empty()) return InvalidArgument("a mesh must have an axis");
  if (devices.num_dimensions() != static_cast<int64_t>(names.size())) {
    return InvalidArgument("a mesh of %d dimensions has names for %d axes",
                           devices.num_dimensions(), names.size());
  }
  absl::flat_hash_set<absl::string_view> seen;
  for (const absl::string_view name : names) {
    if (!seen.insert(name).second) {
      return InvalidArgument("a mesh has two axes '%s'", name);
    }
  }
  return devices.iota().has_value() ? absl::OkStatus()
                                    : CheckDevices(devices.array());
}

absl::Status CheckPart(int64_t pre_size, int64_t size) {
  if (pre_size > 0 && size > 1) return absl::OkStatus();
  return InvalidArgument(
      "(%d)%d is no part of an axis: the first must be positive and the second "
      "more than 1",
      pre_size, size);
}

// The devices that `proto` lists for axes of these sizes.
absl::StatusOr<TileAssignment> ReadDevices(const MeshProto& proto,
                                           absl::Span<const int64_t> sizes) {
  // Checks all that memory depends on.
  TF_RETURN_IF_ERROR(DeviceMesh::FromProto(proto).status());
  if (proto.device_ids().empty()) {
    if (!proto.has_iota_transform()) return TileAssignment(sizes);
    const MeshProto::IotaTransform& iota = proto.iota_transform();
    return TileAssignment(sizes,
                          std::vector<int64_t>(iota.reshape_dims().begin(),
                                               iota.reshape_dims().end()),
                          std::vector<int>(iota.transpose_perm().begin(),
                                           iota.transpose_perm().end()));
  }
  auto devices = std::make_shared<Array<int64_t>>(sizes);
  absl::c_copy(proto.device_ids(), devices->begin());
  return TileAssignment(std::move(devices));
}

std::pair<int64_t, int64_t> SortKey(const AxisRef& axis) {
  const auto part = axis.sub_axis_info();
  return {axis.mesh_axis_index(), part ? part->pre_size : 1};
}

}  // namespace

Mesh::Mesh(TileAssignment device_assignment,
           absl::Span<const absl::string_view> axes_names)
    : device_assignment_(std::move(device_assignment)),
      axes_names_(axes_names.begin(), axes_names.end()) {
  CHECK_OK(CheckMesh(device_assignment_, axes_names));
  if (!device_assignment_.iota().has_value() &&
      HasDevicesInOrder(device_assignment_.array())) {
    const absl::Span<const int64_t> sizes = device_assignment_.dimensions();
    device_assignment_ = TileAssignment(IotaTileAssignment::Create(
        std::vector<int64_t>(sizes.begin(), sizes.end())));
  }
}

bool Mesh::ContainsAllMeshAxesInOrder(absl::Span<const AxisRef> axes) const {
  if (num_axes() != static_cast<int64_t>(axes.size())) return false;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] != AxisRef(static_cast<int64_t>(i))) return false;
  }
  return true;
}

std::string Mesh::ToString() const {
  std::string text;
  PrintMesh(ToProto(), &text);
  return text;
}

MeshProto Mesh::ToProto() const {
  MeshProto proto;
  for (int64_t i = 0; i < num_axes(); ++i) {
    MeshProto::MeshAxis* axis = proto.add_axes();
    axis->set_name(axes_names_[i]);
    axis->set_size(axis_size(i));
  }
  if (const auto& iota = device_assignment_.iota()) {
    if (iota->reshape_dims().size() < 2) return proto;
    MeshProto::IotaTransform* transform = proto.mutable_iota_transform();
    transform->mutable_reshape_dims()->Add(iota->reshape_dims().begin(),
                                           iota->reshape_dims().end());
    transform->mutable_transpose_perm()->Add(iota->transpose_perm().begin(),
                                             iota->transpose_perm().end());
  } else {
    const Array<int64_t>& devices = device_assignment_.array();
    proto.mutable_device_ids()->Add(devices.begin(), devices.end());
  }
  return proto;
}

absl::StatusOr<Mesh> Mesh::ReadProto(const MeshProto& proto) {
  if (proto.axes().empty()) {
    if (proto.device_ids().empty()) return Mesh();
    if (proto.device_ids_size() > 1 || proto.device_ids(0) < 0) {
      return InvalidArgument("a mesh without axes must have one device");
    }
    return Mesh(proto.device_ids(0));
  }
  std::vector<int64_t> sizes;
  std::vector<absl::string_view> names;
  for (const MeshProto::MeshAxis& axis : proto.axes()) {
    sizes.push_back(axis.size());
    names.push_back(axis.name());
  }
  TF_ASSIGN_OR_RETURN(TileAssignment devices, ReadDevices(proto, sizes));
  TF_RETURN_IF_ERROR(CheckMesh(devices, names));
  return Mesh(std::move(devices), names);
}

Mesh Mesh::FromProto(const MeshProto& proto) {
  return ReadProto(proto).value();
}

AxisRef::AxisRef(int64_t mesh_axis_index, SubAxis sub_axis_info)
    : mesh_axis_index_(mesh_axis_index), sub_axis_info_(sub_axis_info) {
  CHECK_OK(CheckPart(sub_axis_info.pre_size, sub_axis_info.size));
}

int64_t AxisRef::size(const Mesh& mesh) const {
  return sub_axis_info_ ? sub_axis_info_->size
                        : mesh.axis_size(mesh_axis_index_);
}

std::string AxisRef::ToString(const Mesh* mesh) const {
  CHECK_GE(mesh_axis_index_, 0);
  std::string text;
  if (mesh != nullptr) {
    CHECK_LT(mesh_axis_index_, mesh->num_axes());
    PrintMeshAxis(mesh->ToProto(), ToProto(), &text);
    return text;
  }
  absl::StrAppend(&text, mesh_axis_index_);
  if (sub_axis_info_) {
    absl::StrAppend(&text, ":(", sub_axis_info_->pre_size, ")",
                    sub_axis_info_->size);
  }
  return text;
}

AxisRefProto AxisRef::ToProto() const {
  AxisRefProto proto;
  proto.set_mesh_axis_index(mesh_axis_index_);
  if (sub_axis_info_) {
    proto.mutable_sub_axis_info()->set_pre_size(sub_axis_info_->pre_size);
    proto.mutable_sub_axis_info()->set_size(sub_axis_info_->size);
  }
  return proto;
}

absl::StatusOr<AxisRef> AxisRef::ReadProto(const AxisRefProto& proto) {
  if (!proto.has_sub_axis_info()) return AxisRef(proto.mesh_axis_index());
  const SubAxis part = {proto.sub_axis_info().pre_size(),
                        proto.sub_axis_info().size()};
  TF_RETURN_IF_ERROR(CheckPart(part.pre_size, part.size));
  return AxisRef(proto.mesh_axis_index(), part);
}

AxisRef AxisRef::FromProto(const AxisRefProto& proto) {
  return ReadProto(proto).value();
}

bool AxisRef::CanCoexistWithoutOverlap(const AxisRef& other) const {
  if (mesh_axis_index_ != other.mesh_axis_index_) return true;
  if (!sub_axis_info_ || !other.sub_axis_info_) return false;
  const bool is_first =
      sub_axis_info_->pre_size <= other.sub_axis_info_->pre_size;
  const SubAxis& first = is_first ? *sub_axis_info_ : *other.sub_axis_info_;
  const SubAxis& second = is_first ? *other.sub_axis_info_ : *sub_axis_info_;
  // A product that does not fit is larger than any axis, so the second part,
  // which begins behind the first one, would begin behind it too.
  const std::optional<int64_t> end =
      CheckedMultiply(first.pre_size, first.size);
  return end.has_value() && second.pre_size % *end == 0;
}

bool AxisRef::CanMerge(const AxisRef& other) const {
  return mesh_axis_index_ == other.mesh_axis_index_ && sub_axis_info_ &&
         other.sub_axis_info_ &&
         CheckedMultiply(sub_axis_info_->pre_size, sub_axis_info_->size) ==
             other.sub_axis_info_->pre_size;
}

bool AxisRef::Merge(const AxisRef& other, const Mesh& mesh) {
  if (!CanMerge(other)) return false;
  sub_axis_info_->size *= other.sub_axis_info_->size;
  if (sub_axis_info_->size == mesh.axis_size(mesh_axis_index_)) {
    sub_axis_info_.reset();
  }
  return true;
}

absl::Status AxisRef::Validate(const Mesh& mesh) const {
  if (mesh_axis_index_ < 0 || mesh_axis_index_ >= mesh.num_axes()) {
    return InvalidArgument("there is no axis %d in a mesh of %d axes",
                           mesh_axis_index_, mesh.num_axes());
  }
  if (!sub_axis_info_) return absl::OkStatus();
  const int64_t size = mesh.axis_size(mesh_axis_index_);
  const std::optional<int64_t> end =
      CheckedMultiply(sub_axis_info_->pre_size, sub_axis_info_->size);
  if (!end.has_value() || size % *end != 0) {
    return InvalidArgument("%s is no part of an axis of size %d",
                           ToString(&mesh), size);
  }
  if (sub_axis_info_->size >= size) {
    return InvalidArgument("%s is a whole axis of size %d", ToString(&mesh),
                           size);
  }
  return absl::OkStatus();
}

std::ostream& operator<<(std::ostream& out, const Mesh& mesh) {
  return out << mesh.ToString();
}

std::ostream& operator<<(std::ostream& out, const AxisRef& axis) {
  return out << axis.ToString();
}

bool AxesCanCoexistWithoutOverlap(absl::Span<const AxisRef> axes) {
  std::vector<AxisRef> sorted(axes.begin(), axes.end());
  absl::c_sort(sorted, [](const AxisRef& a, const AxisRef& b) {
    return SortKey(a) < SortKey(b);
  });
  // Where each two neighbours can, each size divides those behind it.
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (!sorted[i - 1].CanCoexistWithoutOverlap(sorted[i])) return false;
  }
  return true;
}

absl::Status ValidateSpanOfAxes(absl::Span<const AxisRef> axes,
                                const Mesh& mesh,
                                bool allow_mergeable_neighbors) {
  for (const AxisRef& axis : axes) TF_RETURN_IF_ERROR(axis.Validate(mesh));
  if (!AxesCanCoexistWithoutOverlap(axes)) {
    return InvalidArgument("axes of %s overlap", mesh.ToString());
  }
  if (allow_mergeable_neighbors) return absl::OkStatus();
  for (size_t i = 1; i < axes.size(); ++i) {
    if (axes[i - 1].CanMerge(axes[i])) {
      return InvalidArgument("%s and %s are one part of an axis",
                             axes[i - 1].ToString(&mesh),
                             axes[i].ToString(&mesh));
    }
  }
  return absl::OkStatus();
}

}  // namespace xla
