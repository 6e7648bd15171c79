// Text of meshes and their axes, which shardings and replica groups share.
#ifndef XLA_HLO_SHARDING_MESH_TEXT_H_
#define XLA_HLO_SHARDING_MESH_TEXT_H_

#include <string>

#include "xla/proto/xla_data.pb.h"

namespace xla {

// Appends mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), with the devices only if
// they are not in order, or maximal_mesh[device_id=3].
void PrintMesh(const MeshProto& mesh, std::string* out);

// Appends 'a', or 'a':(2)2 for a part. The name of an axis that the mesh lacks
// is '#7', which no reader takes.
void PrintMeshAxis(const MeshProto& mesh, const AxisRefProto& axis,
                   std::string* out);

}  // namespace xla

#endif  // XLA_HLO_SHARDING_MESH_TEXT_H_
