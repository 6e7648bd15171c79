// Reads groups given as matrices and as axes of a mesh.
#include "xla/stablehlo/to_hlo/devices/device_groups.h"

#include "absl/strings/str_cat.h"
#include "xla/base/status_macros.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/sharding/device_mesh.h"
#include "xla/stablehlo/to_hlo/conversion/module_conversion.h"
#include "xla/stablehlo/to_hlo/conversion/sdy_sharding.h"

namespace xla::stablehlo {
namespace {

// Returns the devices that differ only in their position along these axes of a
// mesh, in the order of that position.
absl::StatusOr<DeviceGroups> GroupsAlongAxes(
    const Attribute& mesh_definition, absl::Span<const Attribute* const> axes,
    int64_t devices) {
  TF_ASSIGN_OR_RETURN(const DeviceMesh mesh, ReadSdyMesh(mesh_definition));
  if (mesh.device_count() != devices) {
    return absl::InvalidArgumentError(
        absl::StrCat("the mesh has ", mesh.device_count(),
                     " devices, but the program has ", devices));
  }
  TF_ASSIGN_OR_RETURN(const AxisList list, ReadSdyAxes(axes, mesh));
  return mesh.GroupsAlong(list);
}

absl::StatusOr<DeviceGroups> GroupsOfMesh(const Attribute& attribute,
                                          const OpConversion& conversion) {
  const Attribute* axes = attribute.Field("axes");
  const Attribute* mesh = attribute.Field("mesh");
  if (axes == nullptr || mesh == nullptr) {
    return conversion.Error("groups by mesh axes need mesh and axes");
  }
  const ModuleConversion& module = conversion.module();
  absl::StatusOr<const Attribute*> definition = module.MeshDefinition(*mesh);
  if (!definition.ok()) return conversion.Annotate(definition.status());
  const HloModuleConfig& config = module.target().config();
  absl::StatusOr<DeviceGroups> groups =
      GroupsAlongAxes(**definition, axes->elements,
                      config.num_partitions() * config.replica_count());
  if (!groups.ok()) return conversion.Annotate(groups.status());
  return groups;
}

}  // namespace

absl::StatusOr<DeviceGroups> GroupsOf(const Attribute& attribute,
                                      absl::string_view name,
                                      const OpConversion& conversion) {
  if (attribute.kind == Attribute::Kind::kDictionary) {
    return GroupsOfMesh(attribute, conversion);
  }
  absl::StatusOr<std::vector<int64_t>> flat = IntegersOfAttribute(attribute);
  if (!flat.ok()) {
    return conversion.Error(
        absl::StrCat("attribute '", name, "' ", flat.status().message()));
  }
  DeviceGroups groups;
  if (flat->empty()) return groups;
  if (attribute.type == nullptr || attribute.type->dimensions.size() != 2) {
    return conversion.Error(
        absl::StrCat("attribute '", name, "' must be a matrix"));
  }
  const int64_t columns = attribute.type->dimensions[1];
  for (size_t i = 0; i < flat->size(); i += columns) {
    std::vector<int64_t>& group = groups.emplace_back();
    for (int64_t j = 0; j < columns; ++j) {
      if ((*flat)[i + j] >= 0) group.push_back((*flat)[i + j]);
    }
  }
  return groups;
}

}  // namespace xla::stablehlo
