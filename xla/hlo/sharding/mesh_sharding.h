// MeshSharding: how the axes of a mesh split an array among devices.
#ifndef XLA_HLO_SHARDING_MESH_SHARDING_H_
#define XLA_HLO_SHARDING_MESH_SHARDING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "xla/hlo/sharding/axis_part.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// How the partial values of an unreduced array give its value.
enum class UnreducedKind : uint8_t { kSum, kMax, kMin };

// A dimension of size n that axes of k devices split has parts of ceil(n / k)
// elements; the last parts may be shorter or empty. Devices that differ along
// axes of no dimension hold the same, or, along `unreduced` axes, partial
// values. In a manual computation arrays have the size of one part along
// `manual` axes, and the program itself says how the devices' values relate.
struct MeshSharding {
  struct Dimension {
    // The devices of coordinate c along these axes have part c of the
    // dimension.
    AxisList axes;
    // Whether propagation may append axes.
    bool is_open = false;
    // User priority: 0 is the first to be propagated.
    int64_t priority = 0;

    friend bool operator==(const Dimension&, const Dimension&) = default;
  };

  // Never null.
  std::shared_ptr<const DeviceMesh> mesh;
  std::vector<Dimension> dimensions;
  // Axes that propagation must not give to open dimensions.
  AxisList replicated;
  AxisList unreduced;
  UnreducedKind unreduced_kind = UnreducedKind::kSum;
  AxisList manual;

  // All dimensions whole, and open or closed.
  static MeshSharding Replicated(std::shared_ptr<const DeviceMesh> mesh,
                                 int64_t rank, bool is_open = false);
  // Errors: InvalidArgument for a broken mesh, axes that it lacks, and axes
  // that are used twice.
  static absl::StatusOr<MeshSharding> FromProto(
      const NamedShardingProto& proto);
  // Priorities other than 0, and kinds of reduction other than sums, become
  // metadata with the op_type "sdy::priorities" and "sdy::reduction_op", since
  // the proto has no fields for them.
  NamedShardingProto ToProto() const;
  // The same as the sharding of an instruction.
  OpSharding ToOpSharding() const;

  int64_t rank() const { return static_cast<int64_t>(dimensions.size()); }
  // The axes of all dimensions.
  AxisList DimensionAxes() const;
  // The axes of dimensions, and the unreduced and manual ones.
  AxisList UsedAxes() const;
  // Whether each device holds the whole value.
  bool IsReplicated() const;
  int64_t PartCount(int64_t dimension) const {
    return SizeOf(dimensions[dimension].axes);
  }

  // Meshes are compared by value.
  friend bool operator==(const MeshSharding& a, const MeshSharding& b);
};

// The sizes of one part, rounded up.
std::vector<int64_t> PartSizes(absl::Span<const int64_t> sizes,
                               const MeshSharding& sharding);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_MESH_SHARDING_H_
