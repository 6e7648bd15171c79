// DeviceMesh: the devices of a program as an array whose dimensions have names.
#ifndef XLA_HLO_SHARDING_DEVICE_MESH_H_
#define XLA_HLO_SHARDING_DEVICE_MESH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/axis_part.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// The numbers 0 to n-1 in an array of the sizes `dims`, transposed by `perm`
// and read in row-major order: how HLO writes lists of devices.
struct IotaTransform {
  std::vector<int64_t> dims;
  std::vector<int64_t> perm;

  friend bool operator==(const IotaTransform&, const IotaTransform&) = default;
};

// Returns the numbers. Errors: InvalidArgument if `perm` does not fit `dims`,
// or if there are more than DeviceMesh::kMaxDevices numbers.
absl::StatusOr<std::vector<int64_t>> ExpandIota(const IotaTransform& iota);
// Returns the transform with the fewest dimensions that gives these numbers;
// nullopt if there is none.
std::optional<IotaTransform> FindIotaTransform(
    absl::Span<const int64_t> numbers);

// Devices are the numbers of partitions. Immutable and thread-safe.
class DeviceMesh {
 public:
  struct Axis {
    std::string name;
    int64_t size = 1;

    friend bool operator==(const Axis&, const Axis&) = default;
  };

  // Groups of devices are written out, so this bounds their memory.
  static constexpr int64_t kMaxDevices = int64_t{1} << 16;

  // A mesh without axes, which has one device.
  DeviceMesh() = default;

  // `devices` are those of the positions in row-major order; empty if they are
  // in order. Errors: InvalidArgument for names that occur twice, sizes that
  // are not positive, more than kMaxDevices devices, and a list that does not
  // have each device once.
  static absl::StatusOr<DeviceMesh> Create(std::vector<Axis> axes,
                                           std::vector<int64_t> devices = {});
  // The mesh of what one device alone computes.
  static DeviceMesh Maximal(int64_t device);
  // Errors: those of Create, and of ExpandIota.
  static absl::StatusOr<DeviceMesh> FromProto(const MeshProto& proto);
  MeshProto ToProto() const;

  bool is_maximal() const { return maximal_device_ >= 0; }
  // -1 unless is_maximal().
  int64_t maximal_device() const { return maximal_device_; }

  const std::vector<Axis>& axes() const { return axes_; }
  int64_t axis_size(int32_t axis) const { return axes_[axis].size; }
  std::optional<int32_t> FindAxis(absl::string_view name) const;
  AxisPart WholeAxis(int32_t axis) const { return {axis, 1, axis_size(axis)}; }
  // All axes but those of size 1.
  AxisList AllAxes() const;
  // Whether the axis exists and the part's sizes divide its size.
  bool Has(const AxisPart& axis) const;

  int64_t device_count() const { return device_count_; }
  // Empty if devices are in order.
  absl::Span<const int64_t> devices() const { return devices_; }
  int64_t DeviceAt(int64_t position) const {
    return devices_.empty() ? position : devices_[position];
  }

  // Returns the distance of positions that are neighbours along the axis.
  int64_t StrideOf(const AxisPart& axis) const;
  // Returns the coordinate along the axes, the first one slowest, of the device
  // at a position.
  int64_t CoordinateOf(int64_t position, absl::Span<const AxisPart> axes) const;
  // Returns the same for each device, by its number.
  std::vector<int64_t> CoordinatesOf(absl::Span<const AxisPart> axes) const;
  // Returns the devices of each group that differs along `axes` alone, in the
  // order of their coordinates; the groups are in the order of the positions of
  // their first devices. `axes` do not overlap.
  std::vector<std::vector<int64_t>> GroupsAlong(
      absl::Span<const AxisPart> axes) const;

  friend bool operator==(const DeviceMesh&, const DeviceMesh&) = default;

 private:
  std::vector<Axis> axes_;
  std::vector<int64_t> strides_;  // of the axes, in positions
  std::vector<int64_t> devices_;
  int64_t device_count_ = 1;
  int64_t maximal_device_ = -1;
};

// Reads the axes of a proto; the parts are as large as the axes that they name
// where it does not give their sizes. Errors: InvalidArgument for axes that the
// mesh lacks or that overlap.
absl::StatusOr<AxisList> AxesFromProto(
    const DeviceMesh& mesh,
    const google::protobuf::RepeatedPtrField<AxisRefProto>& protos);
void AxesToProto(const DeviceMesh& mesh, absl::Span<const AxisPart> axes,
                 google::protobuf::RepeatedPtrField<AxisRefProto>* protos);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_DEVICE_MESH_H_
