// Prints meshes and their axes.
#include "xla/hlo/sharding/mesh_text.h"

#include <cstdint>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace xla {
namespace {

void PrintQuotedName(absl::string_view name, std::string* out) {
  absl::StrAppend(out, "'", absl::CEscape(name), "'");
}

}  // namespace

void PrintMesh(const MeshProto& mesh, std::string* out) {
  if (mesh.axes().empty() && mesh.device_ids_size() == 1) {
    absl::StrAppend(out, "maximal_mesh[device_id=", mesh.device_ids(0), "]");
    return;
  }
  out->append("mesh[");
  for (int i = 0; i < mesh.axes_size(); ++i) {
    if (i > 0) out->push_back(',');
    PrintQuotedName(mesh.axes(i).name(), out);
    absl::StrAppend(out, "=", mesh.axes(i).size());
  }
  out->push_back(']');
  if (mesh.device_ids_size() > 0) {
    absl::StrAppend(out, ", device_ids=(",
                    absl::StrJoin(mesh.device_ids(), ","), ")");
  } else if (mesh.has_iota_transform()) {
    const MeshProto::IotaTransform& iota = mesh.iota_transform();
    absl::StrAppend(out, ", device_ids=([",
                    absl::StrJoin(iota.reshape_dims(), ","), "]T(",
                    absl::StrJoin(iota.transpose_perm(), ","), "))");
  }
}

void PrintMeshAxis(const MeshProto& mesh, const AxisRefProto& axis,
                   std::string* out) {
  const int64_t i = axis.mesh_axis_index();
  if (i >= 0 && i < mesh.axes_size()) {
    PrintQuotedName(mesh.axes(i).name(), out);
  } else {
    absl::StrAppend(out, "'#", i, "'");
  }
  if (axis.has_sub_axis_info()) {
    absl::StrAppend(out, ":(", axis.sub_axis_info().pre_size(), ")",
                    axis.sub_axis_info().size());
  }
}

}  // namespace xla
