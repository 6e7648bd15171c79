// Checks meshes, which come from programs, and computes coordinates.
#include "xla/hlo/sharding/device_mesh.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "xla/base/checked_math.h"
#include "xla/base/status_macros.h"

namespace xla {
namespace {

absl::Status MeshError(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("mesh: ", message));
}

// Returns the product of the sizes; nullopt if one is not positive, or if the
// product exceeds kMaxDevices.
std::optional<int64_t> BoundedProduct(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes) {
    const std::optional<int64_t> next = CheckedMultiply(product, size);
    if (size <= 0 || !next.has_value() || *next > DeviceMesh::kMaxDevices) {
      return std::nullopt;
    }
    product = *next;
  }
  return product;
}

// Whether the values are 0 to size-1, each once.
bool IsPermutation(absl::Span<const int64_t> values) {
  std::vector<bool> seen(values.size());
  for (const int64_t value : values) {
    if (value < 0 || value >= std::ssize(values) || seen[value]) return false;
    seen[value] = true;
  }
  return true;
}

std::vector<int64_t> RowMajorStrides(absl::Span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 1);
  for (size_t i = sizes.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * sizes[i];
  }
  return strides;
}

// `size` numbers `stride` apart.
struct Progression {
  int64_t size = 1;
  int64_t stride = 1;
};

// Returns the progressions, the slowest first, whose sums the numbers are;
// nullopt if there are none.
std::optional<std::vector<Progression>> FindProgressions(
    absl::Span<const int64_t> numbers) {
  std::vector<Progression> found;  // the fastest first
  size_t period = 1;
  while (period < numbers.size()) {
    const int64_t stride = numbers[period] - numbers[0];
    size_t count = 1;
    while ((count + 1) * period <= numbers.size() &&
           numbers[count * period] ==
               numbers[0] + static_cast<int64_t>(count) * stride) {
      ++count;
    }
    if (count == 1 || stride <= 0 || numbers.size() % (period * count) != 0) {
      return std::nullopt;
    }
    found.push_back({static_cast<int64_t>(count), stride});
    period *= count;
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> ExpandIota(const IotaTransform& iota) {
  const std::optional<int64_t> count = BoundedProduct(iota.dims);
  if (!count.has_value() || iota.perm.size() != iota.dims.size() ||
      !IsPermutation(iota.perm)) {
    return MeshError("a list of devices is no transposed iota");
  }
  const std::vector<int64_t> strides = RowMajorStrides(iota.dims);
  std::vector<int64_t> numbers(*count);
  for (int64_t n = 0; n < *count; ++n) {
    int64_t rest = n;
    for (size_t i = iota.perm.size(); i-- > 0;) {
      const int64_t d = iota.perm[i];
      numbers[n] += rest % iota.dims[d] * strides[d];
      rest /= iota.dims[d];
    }
  }
  return numbers;
}

std::optional<IotaTransform> FindIotaTransform(
    absl::Span<const int64_t> numbers) {
  const auto progressions = FindProgressions(numbers);
  if (!progressions.has_value()) return std::nullopt;
  // The dimensions before the transposition are in the order of their strides.
  IotaTransform iota;
  std::vector<int64_t> order(progressions->size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return (*progressions)[a].stride > (*progressions)[b].stride;
  });
  iota.perm.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    iota.dims.push_back((*progressions)[order[i]].size);
    iota.perm[order[i]] = static_cast<int64_t>(i);
  }
  const auto expanded = ExpandIota(iota);
  if (!expanded.ok() || absl::MakeConstSpan(*expanded) != numbers) {
    return std::nullopt;
  }
  return iota;
}

absl::StatusOr<DeviceMesh> DeviceMesh::Create(std::vector<Axis> axes,
                                              std::vector<int64_t> devices) {
  DeviceMesh mesh;
  std::vector<int64_t> sizes;
  absl::flat_hash_set<absl::string_view> names;
  for (const Axis& axis : axes) {
    sizes.push_back(axis.size);
    if (!names.insert(axis.name).second) {
      return MeshError(absl::StrCat("there are two axes '", axis.name, "'"));
    }
  }
  const std::optional<int64_t> count = BoundedProduct(sizes);
  if (!count.has_value()) {
    return MeshError(absl::StrCat("axes must have positive sizes and at most ",
                                  kMaxDevices, " devices"));
  }
  if (!devices.empty()) {
    if (std::ssize(devices) != *count || !IsPermutation(devices)) {
      return MeshError(
          absl::StrCat("device_ids must be 0 to ", *count - 1, ", each once"));
    }
    if (std::is_sorted(devices.begin(), devices.end())) devices.clear();
  }
  mesh.axes_ = std::move(axes);
  mesh.strides_ = RowMajorStrides(sizes);
  mesh.devices_ = std::move(devices);
  mesh.device_count_ = *count;
  return mesh;
}

DeviceMesh DeviceMesh::Maximal(int64_t device) {
  DeviceMesh mesh;
  mesh.maximal_device_ = device;
  return mesh;
}

absl::StatusOr<DeviceMesh> DeviceMesh::FromProto(const MeshProto& proto) {
  if (proto.axes().empty() && proto.device_ids_size() == 1) {
    if (proto.device_ids(0) < 0) return MeshError("a device is negative");
    return Maximal(proto.device_ids(0));
  }
  std::vector<Axis> axes;
  for (const MeshProto::MeshAxis& axis : proto.axes()) {
    axes.push_back({axis.name(), axis.size()});
  }
  std::vector<int64_t> devices(proto.device_ids().begin(),
                               proto.device_ids().end());
  if (devices.empty() && proto.has_iota_transform()) {
    const auto& iota = proto.iota_transform();
    TF_ASSIGN_OR_RETURN(
        devices,
        ExpandIota(
            {{iota.reshape_dims().begin(), iota.reshape_dims().end()},
             {iota.transpose_perm().begin(), iota.transpose_perm().end()}}));
  }
  return Create(std::move(axes), std::move(devices));
}

MeshProto DeviceMesh::ToProto() const {
  MeshProto proto;
  for (const Axis& axis : axes_) {
    MeshProto::MeshAxis* added = proto.add_axes();
    added->set_name(axis.name);
    added->set_size(axis.size);
  }
  if (is_maximal()) proto.add_device_ids(maximal_device_);
  if (devices_.empty()) return proto;
  if (const auto iota = FindIotaTransform(devices_)) {
    for (const int64_t size : iota->dims) {
      proto.mutable_iota_transform()->add_reshape_dims(size);
    }
    for (const int64_t d : iota->perm) {
      proto.mutable_iota_transform()->add_transpose_perm(d);
    }
  } else {
    proto.mutable_device_ids()->Add(devices_.begin(), devices_.end());
  }
  return proto;
}

std::optional<int32_t> DeviceMesh::FindAxis(absl::string_view name) const {
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].name == name) return static_cast<int32_t>(i);
  }
  return std::nullopt;
}

AxisList DeviceMesh::AllAxes() const {
  AxisList all;
  for (size_t i = 0; i < axes_.size(); ++i) {
    Append(WholeAxis(static_cast<int32_t>(i)), all);
  }
  return all;
}

bool DeviceMesh::Has(const AxisPart& axis) const {
  if (axis.axis < 0 || axis.axis >= std::ssize(axes_) || axis.pre_size < 1 ||
      axis.size < 1) {
    return false;
  }
  const std::optional<int64_t> end = CheckedMultiply(axis.pre_size, axis.size);
  return end.has_value() && axis_size(axis.axis) % *end == 0;
}

int64_t DeviceMesh::StrideOf(const AxisPart& axis) const {
  return strides_[axis.axis] * (axis_size(axis.axis) / axis.end());
}

int64_t DeviceMesh::CoordinateOf(int64_t position,
                                 absl::Span<const AxisPart> axes) const {
  int64_t coordinate = 0;
  for (const AxisPart& axis : axes) {
    coordinate = coordinate * axis.size + position / StrideOf(axis) % axis.size;
  }
  return coordinate;
}

std::vector<int64_t> DeviceMesh::CoordinatesOf(
    absl::Span<const AxisPart> axes) const {
  std::vector<int64_t> coordinates(device_count_);
  for (int64_t p = 0; p < device_count_; ++p) {
    coordinates[DeviceAt(p)] = CoordinateOf(p, axes);
  }
  return coordinates;
}

std::vector<std::vector<int64_t>> DeviceMesh::GroupsAlong(
    absl::Span<const AxisPart> axes) const {
  // The positions of a group's devices relative to the first one.
  std::vector<int64_t> offsets = {0};
  for (const AxisPart& axis : axes) {
    std::vector<int64_t> next;
    next.reserve(offsets.size() * axis.size);
    for (const int64_t offset : offsets) {
      for (int64_t i = 0; i < axis.size; ++i) {
        next.push_back(offset + i * StrideOf(axis));
      }
    }
    offsets = std::move(next);
  }
  std::vector<std::vector<int64_t>> groups;
  for (int64_t p = 0; p < device_count_; ++p) {
    if (CoordinateOf(p, axes) != 0) continue;
    std::vector<int64_t>& group = groups.emplace_back();
    group.reserve(offsets.size());
    for (const int64_t offset : offsets) group.push_back(DeviceAt(p + offset));
  }
  return groups;
}

absl::StatusOr<AxisList> AxesFromProto(
    const DeviceMesh& mesh,
    const google::protobuf::RepeatedPtrField<AxisRefProto>& protos) {
  AxisList axes;
  for (const AxisRefProto& proto : protos) {
    const int64_t number = proto.mesh_axis_index();
    if (number < 0 || number >= std::ssize(mesh.axes())) {
      return MeshError(absl::StrCat("there is no axis ", number));
    }
    AxisPart axis = mesh.WholeAxis(static_cast<int32_t>(number));
    if (proto.has_sub_axis_info()) {
      axis.pre_size = proto.sub_axis_info().pre_size();
      axis.size = proto.sub_axis_info().size();
    }
    if (!mesh.Has(axis)) {
      return MeshError(absl::StrCat("(", axis.pre_size, ")", axis.size,
                                    " is no part of an axis of size ",
                                    mesh.axis_size(axis.axis)));
    }
    if (Overlap(axes, axis)) {
      return MeshError(absl::StrCat("parts of axis '",
                                    mesh.axes()[axis.axis].name, "' overlap"));
    }
    Append(axis, axes);
  }
  return axes;
}

void AxesToProto(const DeviceMesh& mesh, absl::Span<const AxisPart> axes,
                 google::protobuf::RepeatedPtrField<AxisRefProto>* protos) {
  for (const AxisPart& axis : axes) {
    AxisRefProto* proto = protos->Add();
    proto->set_mesh_axis_index(axis.axis);
    if (axis == mesh.WholeAxis(axis.axis)) continue;
    proto->mutable_sub_axis_info()->set_pre_size(axis.pre_size);
    proto->mutable_sub_axis_info()->set_size(axis.size);
  }
}

}  // namespace xla
