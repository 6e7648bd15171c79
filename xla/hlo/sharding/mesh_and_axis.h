// Mesh and AxisRef: a mesh of devices and its axes as programs written against
// XLA use them. Passes compute with DeviceMesh and AxisPart, which name axes by
// number and size alike; protos convert one to the other.
#ifndef XLA_HLO_SHARDING_MESH_AND_AXIS_H_
#define XLA_HLO_SHARDING_MESH_AND_AXIS_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/core/array/array.h"
#include "xla/hlo/sharding/tile_assignment.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class AxisRef;

// Devices in an array with a dimension for each axis, whose names differ; or
// one device alone, without axes (maximal); or none at all, without axes
// (empty), for what is the same on any devices. Devices are the numbers 0 to
// n-1, each once. Immutable.
class Mesh {
 public:
  // Empty.
  explicit Mesh() = default;
  // Maximal.
  explicit Mesh(int64_t device_id) : device_assignment_(device_id) {}
  // Devices in order, and any other assignment (CHECK that it is as the class
  // says). A list of devices in order is the same as none.
  explicit Mesh(absl::Span<const int64_t> axes_sizes,
                absl::Span<const absl::string_view> axes_names)
      : Mesh(TileAssignment(axes_sizes), axes_names) {}
  explicit Mesh(std::initializer_list<int64_t> axes_sizes,
                absl::Span<const absl::string_view> axes_names)
      : Mesh(TileAssignment(axes_sizes), axes_names) {}
  explicit Mesh(Array<int64_t> device_assignment,
                absl::Span<const absl::string_view> axes_names)
      : Mesh(TileAssignment(std::make_shared<const Array<int64_t>>(
                 std::move(device_assignment))),
             axes_names) {}
  explicit Mesh(TileAssignment device_assignment,
                absl::Span<const absl::string_view> axes_names);

  bool IsMaximal() const {
    return axes_names_.empty() && device_assignment_.num_elements() == 1;
  }
  const TileAssignment& device_assignment() const { return device_assignment_; }
  absl::Span<const std::string> axis_names() const { return axes_names_; }
  int64_t num_axes() const { return static_cast<int64_t>(axes_names_.size()); }
  // The dimensions of device_assignment().
  absl::Span<const int64_t> axis_sizes() const {
    return device_assignment_.dimensions();
  }
  int64_t axis_size(int64_t axis_index) const {
    return device_assignment_.dim(axis_index);
  }
  // Whether `axes` are those of the mesh, whole and in order.
  bool ContainsAllMeshAxesInOrder(absl::Span<const AxisRef> axes) const;

  // "mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0))", without the devices if they
  // are in order; "maximal_mesh[device_id=3]"; "mesh[]".
  std::string ToString() const;
  MeshProto ToProto() const;
  // Errors: InvalidArgument for axes or devices that no mesh has, and for more
  // devices than DeviceMesh has.
  static absl::StatusOr<Mesh> ReadProto(const MeshProto& proto);
  // The same for protos that are known to be valid (CHECK).
  static Mesh FromProto(const MeshProto& proto);

  bool operator==(const Mesh& other) const {
    return device_assignment_ == other.device_assignment_ &&
           axes_names_ == other.axes_names_;
  }
  bool operator!=(const Mesh& other) const { return !(*this == other); }
  // Whether they differ in the names of axes at most.
  bool DeviceAssignmentEquals(const Mesh& other) const {
    return device_assignment_ == other.device_assignment_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const Mesh& mesh) {
    return H::combine(std::move(h), mesh.device_assignment_, mesh.axes_names_);
  }

 private:
  TileAssignment device_assignment_;
  std::vector<std::string> axes_names_;
};

// An axis of a mesh, by its number, or a part of one: an axis of size n is also
// several axes of sizes whose product is n, the first one slowest, of which the
// part (pre_size, size) has pre_size values before it.
class AxisRef {
 private:
  struct SubAxis {
    int64_t pre_size;
    int64_t size;

    // The values up to the end of this part.
    int64_t next_pre_size() const { return pre_size * size; }

    friend bool operator==(const SubAxis&, const SubAxis&) = default;
  };

 public:
  explicit AxisRef(int64_t mesh_axis_index)
      : mesh_axis_index_(mesh_axis_index) {}
  // CHECK that the part has a positive pre_size and more than one value.
  explicit AxisRef(int64_t mesh_axis_index, SubAxis sub_axis_info);

  int64_t mesh_axis_index() const { return mesh_axis_index_; }
  // nullopt for whole axes.
  std::optional<SubAxis> sub_axis_info() const { return sub_axis_info_; }
  // The values of the part; requires that the mesh has the axis.
  int64_t size(const Mesh& mesh) const;

  // "1" or "1:(2)4"; with the mesh, "'b'" or "'b':(2)4" (CHECK that it has the
  // axis).
  std::string ToString(const Mesh* mesh = nullptr) const;
  AxisRefProto ToProto() const;
  // Errors: InvalidArgument for what the constructor refuses.
  static absl::StatusOr<AxisRef> ReadProto(const AxisRefProto& proto);
  // The same for protos that are known to be valid (CHECK).
  static AxisRef FromProto(const AxisRefProto& proto);

  // Whether a device may be split along both: they are of different axes, or
  // parts that do not overlap and that sizes between them can join.
  bool CanCoexistWithoutOverlap(const AxisRef& other) const;
  // Whether `other` continues this part.
  bool CanMerge(const AxisRef& other) const;
  // Appends `other`, if it continues this part, and returns whether it does.
  bool Merge(const AxisRef& other, const Mesh& mesh);
  // Errors: InvalidArgument unless the mesh has the axis and the part is a
  // proper one of it.
  absl::Status Validate(const Mesh& mesh) const;

  bool operator==(const AxisRef& other) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const AxisRef& axis) {
    const SubAxis part = axis.sub_axis_info_.value_or(SubAxis{});
    return H::combine(std::move(h), axis.mesh_axis_index_, part.pre_size,
                      part.size);
  }

 private:
  int64_t mesh_axis_index_;
  std::optional<SubAxis> sub_axis_info_;
};

std::ostream& operator<<(std::ostream& out, const Mesh& mesh);
std::ostream& operator<<(std::ostream& out, const AxisRef& axis);

// Whether each two can.
bool AxesCanCoexistWithoutOverlap(absl::Span<const AxisRef> axes);

// Errors: InvalidArgument unless each axis is valid for the mesh, they can
// coexist and, unless it is allowed, none continues the one before it.
absl::Status ValidateSpanOfAxes(absl::Span<const AxisRef> axes,
                                const Mesh& mesh,
                                bool allow_mergeable_neighbors = false);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_MESH_AND_AXIS_H_
