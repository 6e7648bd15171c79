// NamedSharding: which axes of a mesh divide an array, as programs written
// against XLA use it. Passes compute with MeshSharding; the proto converts one
// to the other.
#ifndef XLA_HLO_IR_SHARDING_NAMED_SHARDING_H_
#define XLA_HLO_IR_SHARDING_NAMED_SHARDING_H_

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/mesh_and_axis.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// What MeshSharding says, with the metadata of the proto beside it. Axes are
// valid for the mesh, no device coordinate is used twice, and no axis continues
// the one before it; those of no dimension are sorted.
class NamedSharding {
 public:
  // The axes that split one dimension, the first of which is the slowest, and
  // whether propagation may append others (open) or not (closed).
  class DimensionSharding {
   public:
    // Whole and closed.
    explicit DimensionSharding() = default;
    explicit DimensionSharding(absl::Span<const AxisRef> axes, bool is_closed)
        : axes_(axes.begin(), axes.end()), is_closed_(is_closed) {}

    absl::Span<const AxisRef> axes() const { return axes_; }
    bool is_closed() const { return is_closed_; }
    // The number of parts.
    int64_t getShardedSize(const Mesh& mesh) const;

    // Appends the axes of `other`, the first of which may continue the last
    // one; stays open or closed.
    void Append(const DimensionSharding& other, const Mesh& mesh);
    // Takes the first axes off, or the first part of one, that make
    // `slice_size` parts, and returns them; nullopt, and nothing changes, if
    // there are none.
    std::optional<DimensionSharding> Slice(const Mesh& mesh,
                                           int64_t slice_size);

    // Whether `other` has these axes first, where the last one may be a part of
    // its own. False for meshes of other devices.
    bool IsPrefixOf(const DimensionSharding& other, const Mesh& mesh,
                    const Mesh& other_mesh) const;

    // "{'a', 'b':(2)2, ?}", or with numbers in place of names.
    std::string ToString(const Mesh* mesh = nullptr) const;
    NamedShardingProto::DimensionSharding ToProto() const;
    // Errors: those of AxisRef::ReadProto.
    static absl::StatusOr<DimensionSharding> ReadProto(
        const NamedShardingProto::DimensionSharding& proto);
    // The same for protos that are known to be valid (CHECK).
    static DimensionSharding FromProto(
        const NamedShardingProto::DimensionSharding& proto);

    bool operator==(const DimensionSharding& other) const = default;

   private:
    std::vector<AxisRef> axes_;
    bool is_closed_ = true;
  };

  // CHECK VerifyNamedSharding.
  explicit NamedSharding(Mesh mesh,
                         absl::Span<const DimensionSharding> dim_shardings = {},
                         absl::Span<const AxisRef> replicated_axes = {},
                         absl::Span<const AxisRef> unreduced_axes = {},
                         absl::Span<const AxisRef> manual_axes = {},
                         absl::Span<const OpMetadata> metadata = {});
  // Whole on all devices, on an empty mesh; whole on one.
  static NamedSharding Replicate(absl::Span<const OpMetadata> metadata = {}) {
    return NamedSharding(Mesh(), {}, {}, {}, {}, metadata);
  }
  static NamedSharding MaximalSharding(
      int64_t device_id, absl::Span<const OpMetadata> metadata = {}) {
    return NamedSharding(Mesh(device_id), {}, {}, {}, {}, metadata);
  }
  // Along all axes of the mesh.
  static NamedSharding Unreduced(Mesh mesh,
                                 absl::Span<const OpMetadata> metadata = {});
  static NamedSharding Manual(Mesh mesh,
                              absl::Span<const OpMetadata> metadata = {});

  const Mesh& mesh() const { return mesh_; }
  absl::Span<const DimensionSharding> dim_shardings() const {
    return dim_shardings_;
  }
  const DimensionSharding& dim_sharding(int64_t dim) const {
    return dim_shardings_[dim];
  }
  // Axes along which open dimensions must not be split; along which devices
  // have partial values; and of the manual computation around this.
  absl::Span<const AxisRef> replicated_axes() const { return replicated_axes_; }
  absl::Span<const AxisRef> unreduced_axes() const { return unreduced_axes_; }
  absl::Span<const AxisRef> manual_axes() const { return manual_axes_; }
  absl::Span<const OpMetadata> metadata() const { return metadata_; }

  // The dimensions, and the parts of one and of each.
  int64_t num_dimensions() const {
    return static_cast<int64_t>(dim_shardings_.size());
  }
  int64_t dimension(int64_t dim) const { return sharded_sizes_[dim]; }
  absl::Span<const int64_t> dimensions() const { return sharded_sizes_; }
  int64_t num_devices() const {
    return mesh_.device_assignment().num_elements();
  }

  // Whether each device has the whole array, one device does, or all axes of
  // the mesh are manual or unreduced. Axes of size 1 do not count.
  bool IsReplicated() const;
  bool IsMaximal() const { return mesh_.IsMaximal(); }
  bool IsManual() const;
  bool IsUnreduced() const;

  // The axes, or parts of them, that nothing here names, in order.
  std::vector<AxisRef> GetImplicitlyReplicatedAxes() const;
  // Whether devices have the same part, but not all of them.
  bool HasPartialReplication() const;

  // "{mesh['a'=2,'b'=4], [{'a'}, {?}], unreduced={'b'}}".
  std::string ToString(bool include_metadata = false) const;
  NamedShardingProto ToProto() const;
  // Errors: those of Mesh::ReadProto, AxisRef::ReadProto and
  // VerifyNamedSharding.
  static absl::StatusOr<NamedSharding> ReadProto(
      const NamedShardingProto& proto);
  // The same for protos that are known to be valid (CHECK).
  static NamedSharding FromProto(const NamedShardingProto& proto);

  // Without metadata and the names of axes.
  bool operator==(const NamedSharding& other) const;
  bool operator!=(const NamedSharding& other) const {
    return !(*this == other);
  }

 private:
  friend class HloSharding;  // which changes the metadata

  NamedSharding() = default;
  bool HasWholeDimensions() const;

  Mesh mesh_;
  std::vector<DimensionSharding> dim_shardings_;
  std::vector<AxisRef> replicated_axes_;
  std::vector<AxisRef> unreduced_axes_;
  std::vector<AxisRef> manual_axes_;
  std::vector<OpMetadata> metadata_;
  std::vector<int64_t> sharded_sizes_;
};

std::ostream& operator<<(std::ostream& out,
                         const NamedSharding::DimensionSharding& sharding);
std::ostream& operator<<(std::ostream& out, const NamedSharding& sharding);

// Errors: InvalidArgument unless the sharding is as the class says.
absl::Status VerifyNamedSharding(const NamedSharding& named_sharding);

namespace test_utils {

// Axes by the names that they have in the mesh, "b" or "b:(2)4" (CHECK that it
// has them); a "?" among those of a dimension opens it.
NamedSharding FromAxisNames(
    Mesh mesh, absl::Span<const std::vector<std::string>> dim_shardings,
    absl::Span<const std::string> replicated_axes = {},
    absl::Span<const std::string> unreduced_axes = {},
    absl::Span<const std::string> manual_axes = {},
    absl::Span<const OpMetadata> metadata = {});

}  // namespace test_utils
}  // namespace xla

#endif  // XLA_HLO_IR_SHARDING_NAMED_SHARDING_H_
