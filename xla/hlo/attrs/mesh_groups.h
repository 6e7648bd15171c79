// Expands device groups that are given by the axes of a mesh.
#ifndef XLA_HLO_ATTRS_MESH_GROUPS_H_
#define XLA_HLO_ATTRS_MESH_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "xla/proto/xla_data.pb.h"

namespace xla {

// Returns the devices of each group: those that differ in the named axes alone.
// The devices of a group are in the order in which `axes` names the axes, the
// first one slowest; the groups are in the order of the other axes of the mesh.
// An axis 'y':(2)4 is the part of 'y' of size 4 that has 2 values before it;
// the parts before and behind it count as axes of their own. Errors:
// InvalidArgument for sizes that are not positive or do not divide their axis,
// axes that overlap, device ids that do not fit the mesh, groups of one device,
// and meshes of more than 65,536 devices.
absl::StatusOr<std::vector<std::vector<int64_t>>> ExpandMeshAxes(
    const MeshAxesReplicaGroupListProto& groups);

}  // namespace xla

#endif  // XLA_HLO_ATTRS_MESH_GROUPS_H_
