// CollectiveDeviceListBase: which devices work together in a collective, in the
// three forms that HLO has: the groups one by one, an iota, and the axes of a
// mesh along which the devices of a group lie.
#ifndef XLA_HLO_SHARDING_REPLICA_GROUP_H_
#define XLA_HLO_SHARDING_REPLICA_GROUP_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/call_once.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/base/text/printer.h"
#include "xla/core/array/array.h"
#include "xla/hlo/sharding/mesh_and_axis.h"
#include "xla/hlo/sharding/tile_assignment.h"
#include "xla/proto/hlo.pb.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

class IotaReplicaGroupList;
class CollectiveDeviceList;

enum class CollectiveDeviceListVersion { kListOfLists, kIota, kMeshAxes };

// Values of the classes below are immutable, cheap to copy and thread-safe. No
// groups stand for one of all devices. The `FromProto` functions are for protos
// that are known to be valid (CHECK); `ReadProto` returns InvalidArgument for
// groups that are none, and for iotas and meshes of more devices than
// DeviceMesh has.
class CollectiveDeviceListBase {
 public:
  virtual ~CollectiveDeviceListBase() = default;

  virtual CollectiveDeviceListVersion version() const = 0;
  virtual int64_t num_replica_groups() const = 0;
  // That of the first group, which other groups of a list may not have; 0 if
  // there are no groups.
  virtual int64_t num_devices_per_group() const = 0;
  int64_t num_total_devices() const {
    return num_replica_groups() * num_devices_per_group();
  }
  virtual std::vector<std::vector<int64_t>> flattened_replica_groups()
      const = 0;
  // The same, which all copies of this share.
  const std::vector<ReplicaGroup>& replica_groups() const;

  // As HLO text has it: "{{0,1},{2,3}}", "[2,2]<=[4]" or "mesh['x'=2,'y'=2]
  // {'y'}"; always the first if the groups are asked for.
  virtual std::string ToString() const = 0;
  std::string ToString(bool print_full_replica_group_list) const;
  void Print(Printer* printer) const { printer->Append(ToString()); }
  void Print(Printer* printer, bool print_full_replica_group_list) const {
    printer->Append(ToString(print_full_replica_group_list));
  }

  // The same groups as an iota, if they are written as one or along axes of a
  // mesh whose devices are one.
  std::optional<IotaReplicaGroupList> MaybeConvertToIotaReplicaGroupList()
      const;
  virtual std::unique_ptr<CollectiveDeviceListBase> Clone() const = 0;

  // Reads the form that the instruction has; a list if it has none.
  static absl::StatusOr<std::unique_ptr<CollectiveDeviceListBase>> ReadProto(
      const HloInstructionProto& proto);
  static std::unique_ptr<CollectiveDeviceListBase> DeviceListFromProto(
      const HloInstructionProto& proto);

  // Whether they are of the same class and have the same groups, and the same
  // mesh.
  friend bool operator==(const CollectiveDeviceListBase& a,
                         const CollectiveDeviceListBase& b);

 protected:
  CollectiveDeviceListBase() : protos_(std::make_shared<Protos>()) {}
  CollectiveDeviceListBase(const CollectiveDeviceListBase&) = default;
  CollectiveDeviceListBase& operator=(const CollectiveDeviceListBase&) =
      default;

  // `other` is of the same class.
  virtual bool isEqual(const CollectiveDeviceListBase& other) const = 0;

 private:
  struct Protos {
    absl::once_flag once;
    std::vector<ReplicaGroup> groups;
  };
  std::shared_ptr<Protos> protos_;
};

// Groups of the devices that differ along `axes` alone, the first of which is
// the slowest; the groups are in the order of the mesh.
class MeshAxesReplicaGroupList : public CollectiveDeviceListBase {
 public:
  // CHECK ValidateSpanOfAxes.
  explicit MeshAxesReplicaGroupList(Mesh mesh, std::vector<AxisRef> axes);

  const Mesh& mesh() const { return mesh_; }
  absl::Span<const AxisRef> axes() const { return axes_; }

  CollectiveDeviceListVersion version() const override {
    return CollectiveDeviceListVersion::kMeshAxes;
  }
  int64_t num_replica_groups() const override;
  int64_t num_devices_per_group() const override;
  std::vector<std::vector<int64_t>> flattened_replica_groups() const override;
  std::string ToString() const override;
  using CollectiveDeviceListBase::ToString;

  // CHECK that the devices of the mesh, in the order of the groups, are an
  // iota.
  IotaReplicaGroupList ToIotaReplicaGroupList() const;
  CollectiveDeviceList ToCollectiveDeviceList() const;
  std::unique_ptr<CollectiveDeviceListBase> Clone() const override {
    return std::make_unique<MeshAxesReplicaGroupList>(*this);
  }
  MeshAxesReplicaGroupListProto ToProto() const;
  static absl::StatusOr<MeshAxesReplicaGroupList> ReadProto(
      const MeshAxesReplicaGroupListProto& proto);
  static MeshAxesReplicaGroupList FromProto(
      const MeshAxesReplicaGroupListProto& proto);

  bool operator==(const MeshAxesReplicaGroupList& other) const {
    return isEqual(other);
  }
  template <typename H>
  friend H AbslHashValue(H h, const MeshAxesReplicaGroupList& list) {
    return H::combine(std::move(h), list.mesh_, list.axes_);
  }

 protected:
  bool isEqual(const CollectiveDeviceListBase& other) const override;

 private:
  friend class CollectiveDeviceListBase;

  // The devices in an array whose last dimensions are those of a group.
  TileAssignment GroupedDevices() const;

  Mesh mesh_;
  std::vector<AxisRef> axes_;
};

// The numbers 0 to n-1 in an array of the sizes `reshape_dims`, transposed by
// `transpose_perm`, or in order; the groups are the rows of the result.
class IotaReplicaGroupList : public CollectiveDeviceListBase {
 public:
  // As IotaTileAssignment::Create, which makes the least form.
  explicit IotaReplicaGroupList(int64_t num_replica_groups,
                                int64_t num_devices_per_group)
      : IotaReplicaGroupList(num_replica_groups, num_devices_per_group,
                             IotaTileAssignment::Create(
                                 {num_replica_groups, num_devices_per_group})) {
  }
  explicit IotaReplicaGroupList(int64_t num_replica_groups,
                                int64_t num_devices_per_group,
                                absl::Span<const int64_t> reshape_dims,
                                absl::Span<const int> transpose_perm)
      : IotaReplicaGroupList(num_replica_groups, num_devices_per_group,
                             IotaTileAssignment::Create(
                                 {num_replica_groups, num_devices_per_group},
                                 reshape_dims, transpose_perm)) {}
  // An assignment of any dimensions with that many elements (CHECK).
  explicit IotaReplicaGroupList(int64_t num_replica_groups,
                                int64_t num_devices_per_group,
                                const IotaTileAssignment& iota_tile_assignment)
      : iota_(IotaTileAssignment::Create(
            {num_replica_groups, num_devices_per_group},
            iota_tile_assignment.reshape_dims(),
            iota_tile_assignment.transpose_perm())) {}

  CollectiveDeviceListVersion version() const override {
    return CollectiveDeviceListVersion::kIota;
  }
  int64_t num_replica_groups() const override { return iota_.dim(0); }
  int64_t num_devices_per_group() const override { return iota_.dim(1); }
  absl::Span<const int64_t> reshape_dims() const {
    return iota_.reshape_dims();
  }
  absl::Span<const int> transpose_perm() const {
    return iota_.transpose_perm();
  }
  // A row for each group.
  Array<int64_t> ToArray() const { return iota_.ToArray(); }
  std::vector<std::vector<int64_t>> flattened_replica_groups() const override;
  std::string ToString() const override { return iota_.ToString(); }
  using CollectiveDeviceListBase::ToString;

  std::unique_ptr<CollectiveDeviceListBase> Clone() const override {
    return std::make_unique<IotaReplicaGroupList>(*this);
  }
  IotaReplicaGroupListProto ToProto() const;
  static absl::StatusOr<IotaReplicaGroupList> ReadProto(
      const IotaReplicaGroupListProto& proto);
  static IotaReplicaGroupList FromProto(const IotaReplicaGroupListProto& proto);

  bool operator==(const IotaReplicaGroupList& other) const {
    return iota_ == other.iota_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const IotaReplicaGroupList& list) {
    return H::combine(std::move(h), list.iota_.dims(), list.reshape_dims(),
                      list.transpose_perm());
  }

 protected:
  bool isEqual(const CollectiveDeviceListBase& other) const override {
    return *this == static_cast<const IotaReplicaGroupList&>(other);
  }

 private:
  IotaTileAssignment iota_;
};

// Groups one by one, of any devices and sizes; or an iota that prints as one,
// and equals the list of its groups.
class CollectiveDeviceList : public CollectiveDeviceListBase {
 public:
  explicit CollectiveDeviceList() = default;
  explicit CollectiveDeviceList(absl::Span<const ReplicaGroup> replica_groups);
  explicit CollectiveDeviceList(const std::vector<ReplicaGroup>& replica_groups)
      : CollectiveDeviceList(absl::MakeConstSpan(replica_groups)) {}
  explicit CollectiveDeviceList(
      absl::Span<const std::vector<int64_t>> replica_groups)
      : groups_(replica_groups.begin(), replica_groups.end()) {}
  explicit CollectiveDeviceList(
      std::initializer_list<std::initializer_list<int64_t>> replica_groups)
      : groups_(replica_groups.begin(), replica_groups.end()) {}
  explicit CollectiveDeviceList(
      const IotaReplicaGroupList& iota_replica_group_list)
      : groups_(iota_replica_group_list.flattened_replica_groups()),
        iota_(iota_replica_group_list) {}

  CollectiveDeviceListVersion version() const override {
    return iota_ ? CollectiveDeviceListVersion::kIota
                 : CollectiveDeviceListVersion::kListOfLists;
  }
  const std::optional<IotaReplicaGroupList>& iota_replica_group_list() const {
    return iota_;
  }
  int64_t num_replica_groups() const override {
    return static_cast<int64_t>(groups_.size());
  }
  int64_t num_devices_per_group() const override {
    return groups_.empty() ? 0 : static_cast<int64_t>(groups_[0].size());
  }
  std::vector<std::vector<int64_t>> flattened_replica_groups() const override {
    return groups_;
  }
  std::string ToString() const override;
  using CollectiveDeviceListBase::ToString;

  std::unique_ptr<CollectiveDeviceListBase> Clone() const override {
    return std::make_unique<CollectiveDeviceList>(*this);
  }
  // The groups; the proto has no iota.
  CollectiveDeviceListProto ToProto() const;
  static CollectiveDeviceList FromProto(const CollectiveDeviceListProto& proto);
  // The groups of any form.
  static CollectiveDeviceList FromProto(const HloInstructionProto& proto);

  bool operator==(const CollectiveDeviceList& other) const {
    return groups_ == other.groups_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const CollectiveDeviceList& list) {
    return H::combine(std::move(h), list.groups_);
  }

 protected:
  bool isEqual(const CollectiveDeviceListBase& other) const override {
    return *this == static_cast<const CollectiveDeviceList&>(other);
  }

 private:
  std::vector<std::vector<int64_t>> groups_;
  std::optional<IotaReplicaGroupList> iota_;
};

// "{{0,1},{2,3}}".
std::string ReplicaGroupsToString(
    absl::Span<const ReplicaGroup> replica_groups);

// The same groups one by one; a list stays as it is.
CollectiveDeviceList ConvertToV1CollectiveDeviceList(
    const CollectiveDeviceListBase& device_list);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_REPLICA_GROUP_H_
